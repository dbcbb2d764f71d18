#ifndef TFR_CORE_EXAMPLE_JSON_JSON_CURSOR_H_
#define TFR_CORE_EXAMPLE_JSON_JSON_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/json/json_number.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// A position in a line of JSON (RFC 8259). Each function returns false at
/// anything else than what it reads; the position then has no meaning.
class JsonCursor {
 public:
  explicit JsonCursor(Span line) : p_(line.data), end_(line.data + line.size) {}

  /// The next character that is not white space; 0 at the end.
  uint8_t Peek() {
    SkipSpace();
    return p_ < end_ ? *p_ : 0;
  }

  /// True if only white space is left.
  bool AtEnd() {
    SkipSpace();
    return p_ == end_;
  }

  /// Takes the character `c`, after white space.
  bool Take(uint8_t c) {
    if (Peek() != c) return false;
    ++p_;
    return true;
  }

  /// Takes `word`, where `Peek` found its first character.
  bool TakeWord(const char* word);

  /// Reads a number where `Peek` found a digit or a minus sign.
  bool TakeNumber(JsonNumber* number) {
    p_ = ParseJsonNumber(p_, end_, number);
    return p_ != nullptr;
  }

  /// Reads a string as UTF-8, after white space. `*text` is in the line, or, if
  /// the string has escapes, in `*spare`. Half a surrogate pair is refused.
  bool TakeString(Span* text, std::vector<uint8_t>* spare);

  /// Takes any value. Refuses objects with equal names, or more names than are
  /// worth a comparison of all, and values that are nested deeper than
  /// `kMaxDepth`.
  bool SkipValue(int depth = 0);

 private:
  /// A level takes over 1 KiB of a stack, which has 128 KiB with musl.
  static constexpr int kMaxDepth = 32;
  static constexpr size_t kMaxNames = 64;

  void SkipSpace() {
    while (p_ < end_ &&
           (*p_ == ' ' || *p_ == '\t' || *p_ == '\r' || *p_ == '\n')) {
      ++p_;
    }
  }
  /// Moves to the first quote, backslash or control character.
  void SkipPlain();
  bool TakeEscape(std::vector<uint8_t>* spare);
  bool TakeHex(uint32_t* unit);
  bool SkipMembers(int depth);
  bool SkipElements(int depth);

  const uint8_t* p_;
  const uint8_t* end_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_JSON_CURSOR_H_
