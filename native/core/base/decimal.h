#ifndef TFR_CORE_BASE_DECIMAL_H_
#define TFR_CORE_BASE_DECIMAL_H_

#include <cstdint>

namespace tfr {

/// The significant digits of a decimal without its sign: `digits *
/// 10^exponent`.
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

  /// Decimal digits that 64 bits always hold.
  static constexpr int kMostDigits = 19;
};

inline bool IsDigit(const uint8_t* p, const uint8_t* end) {
  return p < end && *p >= '0' && *p <= '9';
}

/// Reads the sign and the digits of an exponent. Returns the position after
/// them; null if there are no digits.
const uint8_t* ParseExponent(const uint8_t* p, const uint8_t* end,
                             int* exponent);

enum class RoundingSteps : uint8_t {
  kOne,
  /// To a double first, as JavaScript does.
  kTwo,
};

/// Rounds `decimal` to the nearest float, ties to even. Returns false if it is
/// beyond float32, or where only exact arithmetic could decide.
bool RoundDecimal(const Decimal& decimal, RoundingSteps steps, float* result);

}  // namespace tfr

#endif  // TFR_CORE_BASE_DECIMAL_H_
