#include "core/example/json/json_number.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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
/// Decimal digits that 64 bits always hold.
constexpr int kMostDigits = 19;
/// The digits of a line of up to 2^28 bytes can make up for no larger exponent,
/// and the sum of both is far from an overflow.
constexpr int64_t kMostExponent = int64_t{1} << 29U;
/// Doubles from here on round to an infinite float: the largest float and half
/// of its last place.
constexpr double kInfiniteFloat = 0x1.ffffffp127;

/// The significant digits of a decimal: `digits * 10^exponent`.
struct Decimal {
  uint64_t digits = 0;
  int count = 0;
  int exponent = 0;
  /// Digits other than 0 follow those that were kept.
  bool cut = false;

  /// Adds a digit; `after_point`: of the fraction.
  void Add(uint8_t digit, bool after_point) {
    if (count == kMostDigits) {
      cut |= digit != 0;
      if (!after_point) ++exponent;
      return;
    }
    digits = digits * 10 + digit;
    if (digits != 0) ++count;
    if (after_point) --exponent;
  }
};

bool IsDigit(const uint8_t* p, const uint8_t* end) {
  return p < end && *p >= '0' && *p <= '9';
}

/// Reads the digits and sign of an exponent; null if there are none.
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

/// Rounds a double that is not negative. Returns false for those that become
/// infinite.
bool ToFloat(double value, float* result) {
  if (value >= kInfiniteFloat) return false;
  *result = static_cast<float>(value);
  return true;
}

/// Rounds `decimal`, without a sign. Returns false if it is beyond float32, or
/// so close to the middle between two floats that only exact arithmetic could
/// decide.
bool Round(const Decimal& decimal, float* result) {
  const auto [digits, count, exponent, cut] = decimal;
  *result = 0;
  if (digits == 0) return true;
  const auto value = static_cast<double>(digits);
  if (!cut && digits <= kExactIntegers && exponent >= -kMostExact &&
      exponent <= kMostExact) {
    // One operation on exact numbers rounds once.
    return ToFloat(
        exponent < 0 ? value / kTens[-exponent] : value * kTens[exponent],
        result);
  }
  // The smallest float is 1.4e-45, the largest 3.4e38.
  if (exponent + kMostDigits < -50) return true;
  if (exponent > 39) return false;
  double near = value;
  int left = std::abs(exponent);
  for (; left > kMostExact; left -= kMostExact) {
    near = exponent < 0 ? near / kTens[kMostExact] : near * kTens[kMostExact];
  }
  near = exponent < 0 ? near / kTens[left] : near * kTens[left];
  // Each of up to six roundings, and the digits that were cut, change it by at
  // most 2^-53 of it. The double that JavaScript rounds lies between the bounds
  // too, and rounding never reverses an order.
  constexpr double kError = 0x1p-49;
  float least = 0;
  return ToFloat(near - near * kError, &least) &&
         ToFloat(near + near * kError, result) && least == *result;
}

}  // namespace

const uint8_t* ParseJsonNumber(const uint8_t* p, const uint8_t* end,
                               JsonNumber* number) {
  const bool negative = *p == '-';
  if (negative) ++p;
  if (!IsDigit(p, end)) return nullptr;
  Decimal decimal;
  const uint8_t* const first = p;
  if (*p == '0') {
    ++p;
  } else {
    for (; IsDigit(p, end); ++p) decimal.Add(*p - '0', false);
  }
  bool is_float = negative && decimal.digits == 0;
  const auto whole = static_cast<size_t>(p - first);
  if (p < end && *p == '.') {
    ++p;
    if (!IsDigit(p, end)) return nullptr;
    for (; IsDigit(p, end); ++p) decimal.Add(*p - '0', true);
    is_float = true;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    int exponent = 0;
    p = ParseExponent(p + 1, end, &exponent);
    if (p == nullptr) return nullptr;
    decimal.exponent += exponent;
    is_float = true;
  }
  number->form = JsonNumber::Form::kOther;
  if (is_float) {
    float real = 0;
    if (!Round(decimal, &real)) return p;
    number->form = JsonNumber::Form::kFloat;
    number->real = negative ? -real : real;
    return p;
  }
  constexpr auto kMost =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (whole > kMostDigits || decimal.digits > kMost + (negative ? 1 : 0)) {
    return p;
  }
  number->form = JsonNumber::Form::kInt64;
  number->integer =
      static_cast<int64_t>(negative ? 0 - decimal.digits : decimal.digits);
  return p;
}

}  // namespace tfr
