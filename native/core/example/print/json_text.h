#ifndef TFR_CORE_EXAMPLE_PRINT_JSON_TEXT_H_
#define TFR_CORE_EXAMPLE_PRINT_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/example/wire/wire.h"

namespace tfr {

/// Memory for text, which is appended at `at`.
struct TextRoom {
  uint8_t* at = nullptr;
  uint8_t* end = nullptr;

  size_t left() const { return static_cast<size_t>(end - at); }

  /// Appends `bytes`. Returns false, and appends nothing, without room.
  [[nodiscard]] bool Put(std::string_view bytes) {
    if (left() < bytes.size()) return false;
    std::memcpy(at, bytes.data(), bytes.size());
    at += bytes.size();
    return true;
  }
};

/// Maximum size of an int64 in decimal, with quotes and a comma.
inline constexpr size_t kLongestInteger = 24;

/// Writes an int64 in decimal. Returns the end of the text; there must be room
/// for `kLongestInteger`.
uint8_t* PutInteger(uint8_t* to, int64_t value);

/// The characters that make bytes something else than text.
enum class TextRule : uint8_t {
  kValue,  ///< Control characters, except tab and line ends.
  kName,   ///< Characters below U+0020.
};

enum class TextOutcome : uint8_t {
  kPut,
  kNotText,  ///< Not UTF-8, or against the rule.
  kFull,     ///< There is no room.
};

/// Appends a JSON string in the form of `textJson` in
/// lib/example/print/json.ts: characters that are unsafe on a terminal are
/// escaped. Unless it was put, bytes after `room->at` are undefined.
[[nodiscard]] TextOutcome PutText(Span text, TextRule rule, TextRoom* room);

/// Appends a JSON string of base64. Returns false, and appends nothing, without
/// room.
[[nodiscard]] bool PutBase64(Span bytes, TextRoom* room);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_JSON_TEXT_H_
