#ifndef TFR_CORE_EXAMPLE_PRINT_CSV_TEXT_H_
#define TFR_CORE_EXAMPLE_PRINT_CSV_TEXT_H_

#include <cstdint>

#include "core/example/print/json_text.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Appends a field of CSV that holds text, in quotes if it is empty, looks like
/// a number, or has a quote, `delimiter` or a line end. `kNotText`: it is not
/// UTF-8, has a NUL, or may be a number close to the limit of float32. Unless
/// it was put, bytes after `room->at` are undefined.
[[nodiscard]] TextOutcome PutCsvText(Span text, uint8_t delimiter,
                                     TextRoom* room);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_CSV_TEXT_H_
