#include "core/base/text.h"

#include "core/base/endian.h"
#include "core/base/word_bytes.h"

namespace tfr {

namespace {

/// True if all eight bytes are ASCII characters that can be shown.
bool ShowsAll(uint64_t word) {
  const uint64_t found = word | BytesBelow(word, 0x20) | BytesEqual(word, 0x7f);
  return (found & kTops) == 0;
}

bool IsControl(uint8_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

}  // namespace

size_t LongCharacterSize(const uint8_t* p, size_t left) {
  const uint8_t lead = *p;
  const size_t size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (size == 0 || lead > 0xf4 || size > left) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((p[i] & 0xc0) != 0x80) return 0;
  }
  const uint8_t next = p[1];
  const bool wrong =
      (lead == 0xe0 && next < 0xa0) || (lead == 0xed && next > 0x9f) ||
      (lead == 0xf0 && next < 0x90) || (lead == 0xf4 && next > 0x8f);
  return wrong ? 0 : size;
}

TextKind TextKindOf(const uint8_t* data, size_t size) {
  TextKind kind = TextKind::kText;
  for (size_t i = 0; i < size;) {
    if (size - i >= 8 && ShowsAll(LoadLE64(data + i))) {
      i += 8;
      continue;
    }
    if (data[i] < 0x80) {
      if (IsControl(data[i])) kind = TextKind::kControl;
      ++i;
      continue;
    }
    const size_t character = LongCharacterSize(data + i, size - i);
    if (character == 0) return TextKind::kBinary;
    // U+0080 to U+009F.
    if (data[i] == 0xc2 && data[i + 1] < 0xa0) kind = TextKind::kControl;
    i += character;
  }
  return kind;
}

}  // namespace tfr
