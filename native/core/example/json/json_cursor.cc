#include "core/example/json/json_cursor.h"

#include <algorithm>
#include <cstring>

#include "core/base/endian.h"
#include "core/base/text.h"
#include "core/base/word_bytes.h"

namespace tfr {
namespace {

/// True if no byte is a quote, a backslash or a control character.
bool IsPlain(uint64_t word) {
  const uint64_t found =
      BytesEqual(word, '"') | BytesEqual(word, '\\') | BytesBelow(word, 0x20);
  return (found & kTops) == 0;
}

bool IsUtf8(const uint8_t* begin, const uint8_t* end) {
  return TextKindOf(begin, static_cast<size_t>(end - begin)) !=
         TextKind::kBinary;
}

bool HasHighBytes(const uint8_t* begin, const uint8_t* end) {
  const uint8_t* p = begin;
  uint64_t bits = 0;
  for (; end - p >= 8; p += 8) bits |= LoadLE64(p);
  for (; p < end; ++p) bits |= *p;
  return (bits & kTops) != 0;
}

void AddUtf8(uint32_t code, std::vector<uint8_t>* out) {
  const auto add = [out](uint32_t byte) {
    out->push_back(static_cast<uint8_t>(byte));
  };
  if (code < 0x80) {
    add(code);
    return;
  }
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xe0 | code >> 12);
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
    }
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

bool IsSurrogate(uint32_t unit, uint32_t first) {
  return unit >= first && unit < first + 0x400;
}

constexpr uint32_t kHigh = 0xd800;
constexpr uint32_t kLow = 0xdc00;

}  // namespace

bool JsonCursor::TakeWord(const char* word) {
  const size_t size = std::strlen(word);
  if (static_cast<size_t>(end_ - p_) < size ||
      std::memcmp(p_, word, size) != 0) {
    return false;
  }
  p_ += size;
  return true;
}

void JsonCursor::SkipPlain() {
  while (end_ - p_ >= 8 && IsPlain(LoadLE64(p_))) p_ += 8;
  while (p_ < end_ && *p_ != '"' && *p_ != '\\' && *p_ >= 0x20) ++p_;
}

bool JsonCursor::TakeString(Span* text, std::vector<uint8_t>* spare) {
  if (!Take('"')) return false;
  const uint8_t* begin = p_;
  SkipPlain();
  if (p_ == end_ || *p_ < 0x20) return false;
  if (*p_ == '"') {
    *text = {begin, static_cast<size_t>(p_ - begin)};
    ++p_;
    return !HasHighBytes(begin, text->end()) || IsUtf8(begin, text->end());
  }
  spare->clear();
  for (;;) {
    // An escape cannot be within a character, so each piece is UTF-8 alone.
    if (!IsUtf8(begin, p_)) return false;
    spare->insert(spare->end(), begin, p_);
    if (p_ == end_ || *p_ < 0x20) return false;
    if (*p_++ == '"') break;
    if (!TakeEscape(spare)) return false;
    begin = p_;
    SkipPlain();
  }
  *text = {spare->data(), spare->size()};
  return true;
}

bool JsonCursor::TakeEscape(std::vector<uint8_t>* spare) {
  if (p_ == end_) return false;
  const uint8_t c = *p_++;
  if (c != 'u') {
    constexpr char kNames[] = "\"\\/bfnrt";
    constexpr char kValues[] = "\"\\/\b\f\n\r\t";
    const char* const found =
        c == 0 ? nullptr : std::strchr(kNames, static_cast<char>(c));
    if (found == nullptr) return false;
    spare->push_back(static_cast<uint8_t>(kValues[found - kNames]));
    return true;
  }
  uint32_t unit = 0;
  if (!TakeHex(&unit) || IsSurrogate(unit, kLow)) return false;
  if (IsSurrogate(unit, kHigh)) {
    uint32_t low = 0;
    if (end_ - p_ < 2 || p_[0] != '\\' || p_[1] != 'u') return false;
    p_ += 2;
    if (!TakeHex(&low) || !IsSurrogate(low, kLow)) return false;
    unit = 0x10000 + ((unit - kHigh) << 10) + (low - kLow);
  }
  AddUtf8(unit, spare);
  return true;
}

bool JsonCursor::TakeHex(uint32_t* unit) {
  constexpr ptrdiff_t kDigits = 4;
  if (end_ - p_ < kDigits) return false;
  uint32_t value = 0;
  for (ptrdiff_t i = 0; i < kDigits; ++i) {
    const uint8_t c = *p_++;
    const uint8_t letter = c | 0x20;
    if (c >= '0' && c <= '9') {
      value = value << 4 | (c - '0');
    } else if (letter >= 'a' && letter <= 'f') {
      value = value << 4 | (letter - 'a' + 10);
    } else {
      return false;
    }
  }
  *unit = value;
  return true;
}

bool JsonCursor::SkipValue(int depth) {
  if (depth > kMaxDepth) return false;
  const uint8_t c = Peek();
  if (c == '{') return SkipMembers(depth);
  if (c == '[') return SkipElements(depth);
  if (c == '"') {
    Span text;
    std::vector<uint8_t> spare;
    return TakeString(&text, &spare);
  }
  if (c == 't') return TakeWord("true");
  if (c == 'f') return TakeWord("false");
  if (c == 'n') return TakeWord("null");
  JsonNumber number;
  return p_ < end_ && TakeNumber(&number);
}

bool JsonCursor::SkipMembers(int depth) {
  ++p_;
  if (Take('}')) return true;
  Span names[kMaxNames];
  size_t count = 0;
  do {
    Span name;
    std::vector<uint8_t> spare;
    if (!TakeString(&name, &spare) || !spare.empty() || count == kMaxNames) {
      return false;
    }
    const bool again = std::any_of(names, names + count, [&](Span other) {
      return other.size == name.size &&
             std::memcmp(other.data, name.data, name.size) == 0;
    });
    if (again) return false;
    names[count++] = name;
    if (!Take(':') || !SkipValue(depth + 1)) return false;
  } while (Take(','));
  return Take('}');
}

bool JsonCursor::SkipElements(int depth) {
  ++p_;
  if (Take(']')) return true;
  do {
    if (!SkipValue(depth + 1)) return false;
  } while (Take(','));
  return Take(']');
}

}  // namespace tfr
