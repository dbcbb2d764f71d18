#include "core/example/print/csv_text.h"

#include <string_view>

#include "core/base/endian.h"
#include "core/base/text.h"

namespace tfr {

namespace {

// ---- Numbers

/// Numbers of up to this many digits always fit int64.
constexpr size_t kSureDigits = 18;
constexpr size_t kLongestWord = 9;
/// Numbers in longer texts are not recognised.
constexpr size_t kLongestNumber = 400;
/// All numbers below this power of ten fit float32.
constexpr int kSurePower = 38;
/// More than any exponent that matters.
constexpr int kLargestExponent = 100'000;

bool IsDigit(uint8_t c) { return c >= '0' && c <= '9'; }

const uint8_t* SkipDigits(const uint8_t* p, const uint8_t* end) {
  while (p < end && IsDigit(*p)) ++p;
  return p;
}

bool IsWord(std::string_view text) {
  return text == "NaN" || text == "Infinity" || text == "-Infinity" ||
         text == "nan" || text == "inf" || text == "-inf";
}

/// Reads 19 digits or more.
FieldReading LongIntegerReading(std::string_view digits, bool negative) {
  if (digits.size() != kSureDigits + 1 || digits.front() == '0') {
    return FieldReading::kText;
  }
  const std::string_view largest =
      negative ? "9223372036854775808" : "9223372036854775807";
  return digits <= largest ? FieldReading::kNumber : FieldReading::kText;
}

/// Reads an exponent from `p` to `end`; false for other text.
bool ReadExponent(const uint8_t* p, const uint8_t* end, int* exponent) {
  if (p == end) return true;
  if (*p != 'e' && *p != 'E') return false;
  ++p;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  if (p == end) return false;
  for (; p < end; ++p) {
    if (!IsDigit(*p)) return false;
    if (*exponent < kLargestExponent) *exponent = *exponent * 10 + (*p - '0');
  }
  if (negative) *exponent = -*exponent;
  return true;
}

/// Reads a decimal whose digits before the point are `digits` to `p`.
FieldReading DecimalReading(const uint8_t* digits, const uint8_t* p,
                            const uint8_t* end) {
  const auto whole = static_cast<int>(p - digits);
  if (whole > 1 && *digits == '0') return FieldReading::kText;
  bool zero = true;
  /// The number is below 10 to this power.
  int power = 0;
  if (whole > 0 && *digits != '0') {
    zero = false;
    power = whole;
  }
  if (p < end && *p == '.') {
    const uint8_t* const fraction = ++p;
    p = SkipDigits(p, end);
    if (whole == 0 && p == fraction) return FieldReading::kText;
    for (const uint8_t* each = fraction; each < p && zero; ++each) {
      if (*each == '0') {
        --power;
      } else {
        zero = false;
      }
    }
  }
  int exponent = 0;
  if (!ReadExponent(p, end, &exponent)) return FieldReading::kText;
  return zero || power + exponent <= kSurePower ? FieldReading::kNumber
                                                : FieldReading::kUnsure;
}

// ---- Characters

constexpr uint64_t kOnes = 0x0101010101010101;
constexpr uint64_t kTops = kOnes << 7;

/// Sets the top bit of a byte of `word` that is `c`, and maybe of bytes above
/// it.
constexpr uint64_t Equal(uint64_t word, uint8_t c) {
  const uint64_t other = word ^ kOnes * c;
  return (other - kOnes) & ~other;
}

/// True if all eight bytes are ASCII characters that need no quotes.
constexpr bool AreBare(uint64_t word, uint8_t delimiter) {
  const uint64_t found = word | Equal(word, 0) | Equal(word, '"') |
                         Equal(word, '\n') | Equal(word, '\r') |
                         Equal(word, delimiter);
  return (found & kTops) == 0;
}

/// The characters of a field.
struct Characters {
  bool needs_quotes = false;
  size_t quotes = 0;
};

/// Looks at all characters. Returns false for bytes that are not text.
bool LookAt(Span text, uint8_t delimiter, Characters* characters) {
  const uint8_t* p = text.data;
  const uint8_t* const end = text.end();
  while (p < end) {
    const auto left = static_cast<size_t>(end - p);
    if (left >= 8 && AreBare(LoadLE64(p), delimiter)) {
      p += 8;
      continue;
    }
    const uint8_t c = *p;
    if (c >= 0x80) {
      const size_t size = LongCharacterSize(p, left);
      if (size == 0) return false;
      p += size;
      continue;
    }
    if (c == 0) return false;
    if (c == '"') ++characters->quotes;
    if (c == '"' || c == delimiter || c == '\n' || c == '\r') {
      characters->needs_quotes = true;
    }
    ++p;
  }
  return true;
}

uint8_t* PutDoubled(uint8_t* to, Span text) {
  for (const uint8_t* p = text.data; p < text.end(); ++p) {
    if (*p == '"') *to++ = '"';
    *to++ = *p;
  }
  return to;
}

}  // namespace

FieldReading ReadingOf(Span field) {
  if (field.size == 0) return FieldReading::kText;
  const uint8_t* const end = field.end();
  const bool negative = *field.data == '-';
  const uint8_t* const digits = field.data + (negative ? 1 : 0);
  const uint8_t* const p = SkipDigits(digits, end);
  const auto count = static_cast<size_t>(p - digits);
  const bool is_whole = p == end && count > 0;
  if (is_whole && count <= kSureDigits) {
    if (*digits != '0') return FieldReading::kNumber;
    return count == 1 && !negative ? FieldReading::kNumber
                                   : FieldReading::kText;
  }
  if (field.size > kLongestNumber) return FieldReading::kText;
  const std::string_view text(reinterpret_cast<const char*>(field.data),
                              field.size);
  if (count == 0 && (p == end || *p != '.')) {
    return field.size <= kLongestWord && IsWord(text) ? FieldReading::kNumber
                                                      : FieldReading::kText;
  }
  if (is_whole)
    return LongIntegerReading(text.substr(text.size() - count), negative);
  return DecimalReading(digits, p, end);
}

TextOutcome PutCsvText(Span text, uint8_t delimiter, TextRoom* room) {
  Characters characters;
  if (!LookAt(text, delimiter, &characters)) return TextOutcome::kNotText;
  const FieldReading reading = ReadingOf(text);
  if (reading == FieldReading::kUnsure) return TextOutcome::kNotText;
  const bool quoted = characters.needs_quotes || text.size == 0 ||
                      reading == FieldReading::kNumber;
  const size_t size = text.size + characters.quotes + (quoted ? 2 : 0);
  if (room->left() < size) return TextOutcome::kFull;
  uint8_t* to = room->at;
  if (quoted) *to++ = '"';
  if (characters.quotes > 0) {
    to = PutDoubled(to, text);
  } else if (text.size > 0) {
    std::memcpy(to, text.data, text.size);
    to += text.size;
  }
  if (quoted) *to++ = '"';
  room->at = to;
  return TextOutcome::kPut;
}

}  // namespace tfr
