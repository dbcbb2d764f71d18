#include "core/example/csv/csv_number.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "core/base/decimal.h"
#include "core/example/print/float_text.h"

namespace tfr {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr auto kMostInt64 =
    static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
constexpr size_t kMostInt64Digits = 19;

std::string_view ViewOf(Span text) {
  return {reinterpret_cast<const char*>(text.data), text.size};
}

/// The float of a word; false for other text.
bool FloatOfWord(Span text, float* result) {
  const std::string_view view = ViewOf(text);
  const float infinity = std::numeric_limits<float>::infinity();
  if (view == "NaN" || view == "nan") {
    *result = std::numeric_limits<float>::quiet_NaN();
  } else if (view == "Infinity" || view == "inf") {
    *result = infinity;
  } else if (view == "-Infinity" || view == "-inf") {
    *result = -infinity;
  } else {
    return false;
  }
  return true;
}

/// A decimal in the text of a field.
struct TextDecimal {
  Decimal decimal;
  bool negative = false;
  /// True if its whole part begins with a zero and has more digits.
  bool zero_first = false;
};

/// Parses `-12`, `1.`, `.5`, `1.5e-3`.
bool ParseDecimal(Span text, TextDecimal* result) {
  const uint8_t* p = text.data;
  const uint8_t* const end = text.end();
  result->negative = p < end && *p == '-';
  if (result->negative) ++p;
  const uint8_t* const first = p;
  Decimal& decimal = result->decimal;
  for (; IsDigit(p, end); ++p) decimal.Add(*p - '0', false);
  const auto whole = static_cast<size_t>(p - first);
  result->zero_first = whole > 1 && *first == '0';
  if (p < end && *p == '.') {
    ++p;
    if (whole == 0 && !IsDigit(p, end)) return false;
    for (; IsDigit(p, end); ++p) decimal.Add(*p - '0', true);
  } else if (whole == 0) {
    return false;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    int exponent = 0;
    p = ParseExponent(p + 1, end, &exponent);
    if (p == nullptr) return false;
    decimal.exponent += exponent;
  }
  return p == end;
}

/// Drops zeros at the end.
void Trim(Decimal* decimal) {
  while (decimal->digits != 0 && decimal->digits % 10 == 0) {
    decimal->digits /= 10;
    --decimal->count;
    ++decimal->exponent;
  }
}

/// The shortest decimal of `value`, which is positive and finite.
Decimal ShortestOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  uint8_t text[kLongestFloatText];
  const uint8_t* const end = PutFloat32(text, bits);
  TextDecimal shortest;
  ParseDecimal({text, static_cast<size_t>(end - text)}, &shortest);
  Trim(&shortest.decimal);
  return shortest.decimal;
}

/// Finds whether `decimal` differs from the shortest one of `value`, its float.
/// Returns false for tiny numbers, and the largest float, which JavaScript
/// compares as doubles.
bool FindRounded(Decimal decimal, float value, bool* rounded) {
  // Decimals of up to so many digits differ as normal floats, too.
  constexpr int kSureDigits = 6;
  // Maximum number of digits in the shortest decimal of a float.
  constexpr int kMostDigits = 9;
  *rounded = false;
  if (decimal.digits == 0) return true;
  if (value < std::numeric_limits<float>::min() || value == kLargest) {
    return false;
  }
  if (decimal.count <= kSureDigits) return true;
  Trim(&decimal);
  if (decimal.count <= kSureDigits && !decimal.cut) return true;
  if (decimal.cut || decimal.count > kMostDigits) {
    *rounded = true;
    return true;
  }
  const Decimal shortest = ShortestOf(value);
  *rounded = decimal.digits != shortest.digits ||
             decimal.exponent != shortest.exponent;
  return true;
}

}  // namespace

CsvLiteral CsvLiteralOf(Span text) {
  // Longer numbers are text.
  constexpr size_t kLongestNumber = 400;
  constexpr size_t kSureDigits = 18;
  const bool negative = text.size > 0 && text.data[0] == '-';
  const uint8_t* const first = text.data + (negative ? 1 : 0);
  const uint8_t* const end = text.end();
  const uint8_t* p = first;
  while (IsDigit(p, end)) ++p;
  const auto count = static_cast<size_t>(p - first);
  const bool is_whole = p == end && count > 0;
  if (is_whole && count <= kSureDigits) {
    return *first != '0' || (count == 1 && !negative) ? CsvLiteral::kInt64
                                                      : CsvLiteral::kBytes;
  }
  if (text.size > kLongestNumber) return CsvLiteral::kBytes;
  if (count == 0 && (p == end || *p != '.')) {
    float word = 0;
    return FloatOfWord(text, &word) ? CsvLiteral::kFloat : CsvLiteral::kBytes;
  }
  if (is_whole) {
    int64_t integer = 0;
    return count == kMostInt64Digits && *first != '0' &&
                   ParseCsvInt64(text, &integer)
               ? CsvLiteral::kInt64
               : CsvLiteral::kBytes;
  }
  TextDecimal number;
  if (!ParseDecimal(text, &number) || number.zero_first) {
    return CsvLiteral::kBytes;
  }
  // Below 10^38, and above 10^39, this is sure without rounding.
  const Decimal& decimal = number.decimal;
  const int64_t magnitude = int64_t{decimal.count} + decimal.exponent;
  if (decimal.digits == 0 || magnitude <= 38) return CsvLiteral::kFloat;
  if (magnitude > 40) return CsvLiteral::kBytes;
  float value = 0;
  return RoundDecimal(decimal, RoundingSteps::kTwo, &value)
             ? CsvLiteral::kFloat
             : CsvLiteral::kUnsure;
}

bool ParseCsvInt64(Span text, int64_t* result) {
  const bool negative = text.size > 0 && text.data[0] == '-';
  const size_t count = text.size - (negative ? 1 : 0);
  if (count == 0 || count > kMostInt64Digits) return false;
  uint64_t value = 0;
  for (const uint8_t* p = text.end() - count; p < text.end(); ++p) {
    if (*p < '0' || *p > '9') return false;
    value = value * 10 + (*p - '0');
  }
  if (value > kMostInt64 + (negative ? 1 : 0)) return false;
  *result = static_cast<int64_t>(negative ? 0 - value : value);
  return true;
}

bool ParseCsvFloat(Span text, CsvFloat* result) {
  // Exponents stay far from an overflow.
  constexpr size_t kLongest = size_t{1} << 28U;
  if (text.size > kLongest) return false;
  TextDecimal number;
  if (!ParseDecimal(text, &number)) {
    result->rounded = false;
    return FloatOfWord(text, &result->value);
  }
  float value = 0;
  if (!RoundDecimal(number.decimal, RoundingSteps::kOne, &value) ||
      !FindRounded(number.decimal, value, &result->rounded)) {
    return false;
  }
  result->value = number.negative ? -value : value;
  return true;
}

}  // namespace tfr
