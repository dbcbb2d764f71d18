#include "core/example/json/json_number.h"

#include <cstddef>
#include <limits>

#include "core/base/decimal.h"

namespace tfr {
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
    if (!RoundDecimal(decimal, RoundingSteps::kTwo, &real)) return p;
    number->form = JsonNumber::Form::kFloat;
    number->real = negative ? -real : real;
    return p;
  }
  constexpr auto kMost =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (whole > Decimal::kMostDigits ||
      decimal.digits > kMost + (negative ? 1 : 0)) {
    return p;
  }
  number->form = JsonNumber::Form::kInt64;
  number->integer =
      static_cast<int64_t>(negative ? 0 - decimal.digits : decimal.digits);
  return p;
}

}  // namespace tfr
