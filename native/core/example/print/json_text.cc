#include "core/example/print/json_text.h"

#include <charconv>

#include "core/base/endian.h"
#include "core/base/text.h"
#include "core/base/word_bytes.h"

namespace tfr {

namespace {

/// True if all eight bytes are ASCII characters that need no escape.
constexpr bool AreBare(uint64_t word) {
  const uint64_t found = word | BytesBelow(word, 0x20) |
                         BytesEqual(word, 0x7f) | BytesEqual(word, '"') |
                         BytesEqual(word, '\\');
  return (found & kTops) == 0;
}

uint8_t* PutEscape(uint8_t* to, uint32_t code) {
  constexpr std::string_view kHex = "0123456789abcdef";
  *to++ = '\\';
  *to++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) {
    *to++ = static_cast<uint8_t>(kHex[code >> shift & 15]);
  }
  return to;
}

/// The letter after a backslash; 0 for a character that has none.
constexpr uint8_t ShortEscape(uint8_t c) {
  switch (c) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '"':
    case '\\':
      return c;
    default:
      return 0;
  }
}

/// True for characters that change the direction of text, or end a line: those
/// of `UNSAFE` in lib/base/wording.ts above the control characters.
constexpr bool IsUnsafe(uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// The code of a character of two or three bytes.
uint32_t CodeOf(const uint8_t* p, size_t size) {
  if (size == 2) return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
  return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
}

/// Maximum number of bytes that a step of `PutText` appends, and the closing
/// quote.
constexpr size_t kMostStep = 9;

/// Appends the ASCII character `c`. Returns nullptr if it is against the rule.
uint8_t* PutAscii(uint8_t* to, uint8_t c, TextRule rule) {
  if (const uint8_t letter = ShortEscape(c); letter != 0) {
    if (rule == TextRule::kName && c < 0x20) return nullptr;
    *to++ = '\\';
    *to++ = letter;
    return to;
  }
  if (c < 0x20 || (c == 0x7f && rule == TextRule::kValue)) return nullptr;
  if (c == 0x7f) return PutEscape(to, c);
  *to++ = c;
  return to;
}

/// Appends the character of several bytes at `p`. Returns nullptr if it is
/// against the rule.
uint8_t* PutLong(uint8_t* to, const uint8_t* p, size_t size, TextRule rule) {
  if (size < 4) {
    const uint32_t code = CodeOf(p, size);
    const bool control = code < 0xa0;
    if (control && rule == TextRule::kValue) return nullptr;
    if (control || IsUnsafe(code)) return PutEscape(to, code);
  }
  std::memcpy(to, p, size);
  return to + size;
}

}  // namespace

uint8_t* PutInteger(uint8_t* to, int64_t value) {
  char* const text = reinterpret_cast<char*>(to);
  return to + (std::to_chars(text, text + kLongestInteger, value).ptr - text);
}

TextOutcome PutText(Span text, TextRule rule, TextRoom* room) {
  if (room->left() < kMostStep + 1) return TextOutcome::kFull;
  const uint8_t* p = text.data;
  const uint8_t* const end = text.end();
  uint8_t* to = room->at;
  const uint8_t* const limit = room->end - kMostStep;
  *to++ = '"';
  while (p < end) {
    if (to > limit) return TextOutcome::kFull;
    const auto left = static_cast<size_t>(end - p);
    if (left >= 8 && AreBare(LoadLE64(p))) {
      std::memcpy(to, p, 8);
      p += 8;
      to += 8;
      continue;
    }
    if (*p < 0x80) {
      to = PutAscii(to, *p++, rule);
    } else {
      const size_t size = LongCharacterSize(p, left);
      if (size == 0) return TextOutcome::kNotText;
      to = PutLong(to, p, size, rule);
      p += size;
    }
    if (to == nullptr) return TextOutcome::kNotText;
  }
  // A step leaves at least the room for the quote.
  *to++ = '"';
  room->at = to;
  return TextOutcome::kPut;
}

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The two digits of each number of twelve bits.
struct DigitPairs {
  uint8_t of[4096][2] = {};
};

constexpr DigitPairs AllPairs() {
  DigitPairs pairs;
  for (uint32_t i = 0; i < 4096; ++i) {
    pairs.of[i][0] = static_cast<uint8_t>(kDigits[i >> 6]);
    pairs.of[i][1] = static_cast<uint8_t>(kDigits[i & 63]);
  }
  return pairs;
}

constexpr DigitPairs kPairs = AllPairs();

}  // namespace

bool PutBase64(Span bytes, TextRoom* room) {
  const size_t size = (bytes.size + 2) / 3 * 4 + 2;
  if (room->left() < size) return false;
  const uint8_t* p = bytes.data;
  uint8_t* to = room->at;
  *to++ = '"';
  size_t left = bytes.size;
  for (; left >= 3; left -= 3, p += 3, to += 4) {
    const uint32_t group = p[0] << 16 | p[1] << 8 | p[2];
    std::memcpy(to, kPairs.of[group >> 12], 2);
    std::memcpy(to + 2, kPairs.of[group & 0xfff], 2);
  }
  if (left > 0) {
    const uint32_t group = p[0] << 16 | (left > 1 ? p[1] << 8 : 0);
    std::memcpy(to, kPairs.of[group >> 12], 2);
    to[2] = left > 1 ? kPairs.of[group & 0xfff][0] : '=';
    to[3] = '=';
    to += 4;
  }
  *to++ = '"';
  room->at = to;
  return true;
}

}  // namespace tfr
