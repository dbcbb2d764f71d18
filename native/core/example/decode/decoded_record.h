#ifndef TFR_CORE_EXAMPLE_DECODE_DECODED_RECORD_H_
#define TFR_CORE_EXAMPLE_DECODE_DECODED_RECORD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/example/parse/column_data.h"

namespace tfr {

/// Kind of a row's values. The values extend those of `Kind`.
// NOLINTNEXTLINE(performance-enum-size): 32 bits in the block.
enum class RowKind : uint32_t {
  kNone = 0,
  kBytes = 1,   ///< Pairs (offset in the record, size) in `places`.
  kFloat = 2,   ///< In `floats`.
  kInt64 = 3,   ///< In `ints`.
  kSteps = 4,   ///< A feature list: each of the next `count` rows is a step.
  kPacked = 5,  ///< Floats in the record itself; `first` is their offset in it.
};

/// One feature, feature list, or step of a list (which has no name).
struct DecodedRow {
  uint32_t name_offset = 0;
  uint32_t name_size = 0;
  RowKind kind = RowKind::kNone;
  /// Number of values, or of steps.
  uint32_t count = 0;
  /// Index of the first value.
  uint32_t first = 0;
};

/// The decoded content of one record.
struct DecodedRecord {
  TypedBuffer<DecodedRow> rows;
  /// Uses only the arrays of ints and floats.
  ColumnData numbers;
  /// Pairs (offset in the record, size) of byte strings.
  TypedBuffer<uint32_t> places;
  /// The same for names that a later name of the same entry replaces. They have
  /// no effect, but must be UTF-8, too.
  TypedBuffer<uint32_t> idle_names;

  /// Empties the arrays, and releases memory beyond 4 MiB per array.
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
