#ifndef TFR_CORE_EXAMPLE_DECODE_DECODED_RECORD_H_
#define TFR_CORE_EXAMPLE_DECODE_DECODED_RECORD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/example/parse/column_data.h"

namespace tfr {

/// What the values of a `DecodedRow` are. As numbers: of `Kind`, and two more.
// NOLINTNEXTLINE(performance-enum-size): as it lies in the block.
enum class RowKind : uint32_t {
  kNone = 0,
  kBytes = 1,   ///< Pairs (offset in the record, size) among `places`.
  kFloat = 2,   ///< Among `floats`.
  kInt64 = 3,   ///< Among `ints`.
  kSteps = 4,   ///< A feature list: each of the next rows is a step.
  kPacked = 5,  ///< Floats as they lie in the record; `first` is a byte of it.
};

/// One feature, feature list, or step of a list (which has no name).
struct DecodedRow {
  uint32_t name_offset = 0;
  uint32_t name_size = 0;
  RowKind kind = RowKind::kNone;
  /// Values, or steps.
  uint32_t count = 0;
  /// The first value.
  uint32_t first = 0;
};

/// What was taken from one record.
struct DecodedRecord {
  TypedBuffer<DecodedRow> rows;
  /// Only the arrays of ints and floats are in use.
  ColumnData numbers;
  /// Pairs (offset in the record, size): byte strings.
  TypedBuffer<uint32_t> places;
  /// Pairs alike: names of entries that have another, behind it. They count for
  /// nothing, but have to be UTF-8, too.
  TypedBuffer<uint32_t> idle_names;

  /// Empties, and gives back memory beyond 4 MiB an array.
  void Clear() {
    constexpr size_t kKeptBytes = size_t{4} << 20;
    rows.Clear(kKeptBytes / sizeof(DecodedRow));
    numbers.ints.Clear(kKeptBytes / sizeof(int64_t));
    numbers.floats.Clear(kKeptBytes / sizeof(float));
    places.Clear(kKeptBytes / sizeof(uint32_t));
    idle_names.Clear(kKeptBytes / sizeof(uint32_t));
  }
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_DECODE_DECODED_RECORD_H_
