#ifndef TFR_CORE_EXAMPLE_JSON_JSON_NUMBER_H_
#define TFR_CORE_EXAMPLE_JSON_JSON_NUMBER_H_

#include <cstdint>

namespace tfr {

/// A number of JSON as a value of a feature.
struct JsonNumber {
  enum class Form : uint8_t {
    kInt64,
    /// Has a point or an exponent, or is `-0`.
    kFloat,
    /// Neither int64 nor float32 can hold it, or its rounding needs more digits
    /// than this parser has.
    kOther,
  };
  Form form = Form::kOther;
  int64_t integer = 0;
  /// Rounded to a double first and then to float32, as JavaScript does.
  float real = 0;
};

/// Reads the number at `p`, which is before `end`, by the grammar of RFC 8259.
/// Returns the position after it; null if there is no number.
const uint8_t* ParseJsonNumber(const uint8_t* p, const uint8_t* end,
                               JsonNumber* number);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_JSON_NUMBER_H_
