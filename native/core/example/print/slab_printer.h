#ifndef TFR_CORE_EXAMPLE_PRINT_SLAB_PRINTER_H_
#define TFR_CORE_EXAMPLE_PRINT_SLAB_PRINTER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/print/json_text.h"
#include "core/example/wire/wire.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// The outcome of printing one record.
enum class LineOutcome : uint8_t {
  kPrinted,
  kRefused,  ///< TypeScript prints the record, or words why it has no line.
  kFull,     ///< There is no room for the line.
};

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

  /// Adds a record without a line, after `bytes_before` bytes of lines.
  void Refuse(size_t bytes_before) {
    refused.push_back(
        {static_cast<uint32_t>(records), static_cast<uint32_t>(bytes_before)});
    ++records;
  }
};

/// Prints the records of slabs as lines. Used by one thread at a time.
class SlabPrinter {
 public:
  /// Larger records are left to TypeScript, which knows the limits of lines.
  static constexpr size_t kMostRecordBytes = size_t{64} << 20;

  SlabPrinter() = default;
  SlabPrinter(const SlabPrinter&) = delete;
  SlabPrinter& operator=(const SlabPrinter&) = delete;
  virtual ~SlabPrinter() = default;

  /// Prints the records at `frames` in `slab` to the start of `room`, until
  /// there is no room for the next line. May throw std::bad_alloc.
  virtual RecordLines Print(Span slab, const Frame* frames, size_t count,
                            TextRoom room) = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_SLAB_PRINTER_H_
