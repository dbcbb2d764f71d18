#ifndef TFR_CORE_EXAMPLE_JSON_LITERAL_H_
#define TFR_CORE_EXAMPLE_JSON_LITERAL_H_

#include <cstdint>
#include <string_view>

#include "core/example/wire/wire.h"

namespace tfr {

/// The kind of a literal: `LITERAL_KINDS` of lib/convert/jsonl/parse-line.ts.
enum class Literal : uint8_t {
  kInt64 = 0,
  kFloat,
  /// Other text than the following, and base64.
  kBytes,
  /// Text that is an int64 in its usual form.
  kDigits,
  /// Text for a float that JSON has no number for.
  kWord,
  kMinusZero,
};

inline std::string_view ViewOf(Span text) {
  return {reinterpret_cast<const char*>(text.data), text.size};
}

/// Returns the kind of a string.
Literal LiteralOf(Span text);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_LITERAL_H_
