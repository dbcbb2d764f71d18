#include "core/example/json/literal.h"

#include <cstddef>

namespace tfr {
namespace {

/// True for an int64 without a plus sign and leading zeros.
bool IsInt64(Span text) {
  constexpr size_t kMostDigits = 19;
  const bool negative = text.size > 0 && text.data[0] == '-';
  const Span digits{text.data + (negative ? 1 : 0),
                    text.size - (negative ? 1 : 0)};
  if (digits.size == 0 || digits.size > kMostDigits) return false;
  uint64_t value = 0;
  for (const uint8_t* p = digits.data; p < digits.end(); ++p) {
    if (*p < '0' || *p > '9') return false;
    value = value * 10 + (*p - '0');
  }
  if (digits.data[0] == '0') return text.size == 1;
  return value <= (uint64_t{1} << 63U) - (negative ? 0 : 1);
}

}  // namespace

Literal LiteralOf(Span text) {
  if (text.size == 0) return Literal::kBytes;
  const uint8_t first = text.data[0];
  const std::string_view view = ViewOf(text);
  if (view == "NaN" || view == "Infinity" || view == "-Infinity") {
    return Literal::kWord;
  }
  if (first != '-' && (first < '0' || first > '9')) return Literal::kBytes;
  if (view == "-0") return Literal::kMinusZero;
  return IsInt64(text) ? Literal::kDigits : Literal::kBytes;
}

}  // namespace tfr
