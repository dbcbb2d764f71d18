#ifndef TFR_CORE_EXAMPLE_CSV_CSV_NUMBER_H_
#define TFR_CORE_EXAMPLE_CSV_CSV_NUMBER_H_

#include <cstdint>

#include "core/example/wire/wire.h"

namespace tfr {

/// The kind of a field: `literalKind` of lib/convert/csv/literals.ts.
enum class CsvLiteral : uint8_t {
  kInt64 = 0,
  kFloat,
  kBytes,
  /// A number so close to the limit of float32 that JavaScript must decide.
  kUnsure,
};

CsvLiteral CsvLiteralOf(Span text);

/// Parses digits, maybe after a minus sign. Returns false for other text, some
/// of which JavaScript takes as an int64, too.
bool ParseCsvInt64(Span text, int64_t* result);

/// A field of a column of floats.
struct CsvFloat {
  float value = 0;
  /// True if `value` is another number than the text: `isRounded` of
  /// lib/convert/csv/literals.ts.
  bool rounded = false;
};

/// Parses a decimal, maybe after a minus sign, or a usual word for a float, and
/// rounds it once. Returns false for other text, some of which JavaScript takes
/// as a float32, too.
bool ParseCsvFloat(Span text, CsvFloat* result);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_CSV_CSV_NUMBER_H_
