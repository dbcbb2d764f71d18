#ifndef TFR_CORE_BASE_TEXT_H_
#define TFR_CORE_BASE_TEXT_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

enum class TextKind : uint8_t {
  kBinary,   ///< Not UTF-8.
  kControl,  ///< UTF-8 with control characters other than tab and line ends.
  kText,     ///< UTF-8 that can be shown.
};

/// Judges bytes by the rules of Unicode: no surrogates, no overlong forms,
/// nothing above U+10FFFF. No bytes are text.
TextKind TextKindOf(const uint8_t* data, size_t size);

/// Size of the character of several bytes at `p`, of which `left` are there; 0
/// if it is malformed.
size_t LongCharacterSize(const uint8_t* p, size_t left);

}  // namespace tfr

#endif  // TFR_CORE_BASE_TEXT_H_
