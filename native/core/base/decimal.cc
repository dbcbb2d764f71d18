#include "core/base/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace tfr {
namespace {

/// Powers that a double holds exactly.
constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMostExact = 22;
/// Doubles hold all integers up to here.
constexpr uint64_t kExactIntegers = uint64_t{1} << 53U;
/// The digits of a line of up to 2^28 bytes can make up for no larger exponent,
/// and the sum of both is far from an overflow.
constexpr int64_t kMostExponent = int64_t{1} << 29U;
/// Doubles from here on round to an infinite float: the largest float and half
/// of its last place.
constexpr double kInfiniteFloat = 0x1.ffffffp127;

/// Rounds a double that is not negative. Returns false for those that become
/// infinite.
bool ToFloat(double value, float* result) {
  if (value >= kInfiniteFloat) return false;
  *result = static_cast<float>(value);
  return true;
}

/// True for a double that may be in the middle between two floats.
bool MayBeMidpoint(double value) {
  if (value < std::numeric_limits<float>::min()) return value != 0;
  constexpr uint64_t kBelowFloat = (uint64_t{1} << 29U) - 1;
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return (bits & kBelowFloat) == uint64_t{1} << 28U;
}

}  // namespace

const uint8_t* ParseExponent(const uint8_t* p, const uint8_t* end,
                             int* exponent) {
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  if (!IsDigit(p, end)) return nullptr;
  int64_t value = 0;
  for (; IsDigit(p, end); ++p) {
    value = std::min(value * 10 + (*p - '0'), kMostExponent);
  }
  *exponent = static_cast<int>(negative ? -value : value);
  return p;
}

bool RoundDecimal(const Decimal& decimal, RoundingSteps steps, float* result) {
  const auto [digits, count, exponent, cut] = decimal;
  *result = 0;
  if (digits == 0) return true;
  const auto value = static_cast<double>(digits);
  if (!cut && digits <= kExactIntegers && exponent >= -kMostExact &&
      exponent <= kMostExact) {
    // One operation on exact numbers rounds once.
    const double near =
        exponent < 0 ? value / kTens[-exponent] : value * kTens[exponent];
    // A middle may be the nearest double of a decimal that it does not equal.
    if (steps == RoundingSteps::kOne && exponent != 0 && MayBeMidpoint(near)) {
      return false;
    }
    return ToFloat(near, result);
  }
  // The smallest float is 1.4e-45, the largest 3.4e38.
  if (exponent + Decimal::kMostDigits < -50) return true;
  if (exponent > 39) return false;
  double near = value;
  int left = std::abs(exponent);
  for (; left > kMostExact; left -= kMostExact) {
    near = exponent < 0 ? near / kTens[kMostExact] : near * kTens[kMostExact];
  }
  near = exponent < 0 ? near / kTens[left] : near * kTens[left];
  // Each of up to six roundings, and the digits that were cut, change it by at
  // most 2^-53 of it. The exact value, and the double that JavaScript rounds,
  // lie between the bounds too, and rounding never reverses an order.
  constexpr double kError = 0x1p-49;
  float least = 0;
  return ToFloat(near - near * kError, &least) &&
         ToFloat(near + near * kError, result) && least == *result;
}

}  // namespace tfr
