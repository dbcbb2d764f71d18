#include "core/example/print/csv_text.h"

#include <cstring>

#include "core/base/endian.h"
#include "core/base/text.h"
#include "core/base/word_bytes.h"
#include "core/example/csv/csv_number.h"

namespace tfr {

namespace {

/// True if all eight bytes are ASCII characters that need no quotes.
constexpr bool AreBare(uint64_t word, uint8_t delimiter) {
  const uint64_t found = word | BytesEqual(word, 0) | BytesEqual(word, '"') |
                         BytesEqual(word, '\n') | BytesEqual(word, '\r') |
                         BytesEqual(word, delimiter);
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

TextOutcome PutCsvText(Span text, uint8_t delimiter, TextRoom* room) {
  Characters characters;
  if (!LookAt(text, delimiter, &characters)) return TextOutcome::kNotText;
  const CsvLiteral literal = CsvLiteralOf(text);
  if (literal == CsvLiteral::kUnsure) return TextOutcome::kNotText;
  const bool quoted = characters.needs_quotes || text.size == 0 ||
                      literal != CsvLiteral::kBytes;
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
