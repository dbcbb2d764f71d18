#ifndef TFR_CORE_EXAMPLE_PRINT_RECORD_LINES_H_
#define TFR_CORE_EXAMPLE_PRINT_RECORD_LINES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/print/line_printer.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// A record without a line.
struct RefusedRecord {
  /// Index of the record.
  uint32_t index;
  /// Place among the lines, in bytes, at which its line is missing.
  uint32_t at;
};

/// The lines of the first records of a slab.
struct RecordLines {
  /// Number of records that were printed or refused. The line of the next one
  /// did not fit.
  size_t records = 0;
  /// Size of the lines.
  size_t bytes = 0;
  /// In the order of the records.
  std::vector<RefusedRecord> refused;
};

/// Prints the records at `frames` in `slab` to the start of `room`, until there
/// is no room for the next line. May throw std::bad_alloc.
RecordLines PrintRecords(LinePrinter* printer, const uint8_t* slab,
                         const Frame* frames, size_t count, TextRoom room);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_RECORD_LINES_H_
