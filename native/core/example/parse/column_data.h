#ifndef TFR_CORE_EXAMPLE_PARSE_COLUMN_DATA_H_
#define TFR_CORE_EXAMPLE_PARSE_COLUMN_DATA_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/example/parse/byte_store.h"
#include "core/example/parse/plan.h"

namespace tfr {

/// The rows of one column, in Arrow's layout. Which arrays are used depends on
/// the plan; each of positions begins with a 0 and has one entry more than what
/// it counts:
///
///   steps    feature lists: where each row's steps begin
///   splits   any count: where the values of each row (each step) begin
///   offsets  bytes: where each value begins in `bytes`
struct ColumnData {
  TypedBuffer<int32_t> steps;
  TypedBuffer<int32_t> splits;
  TypedBuffer<int32_t> offsets;
  ByteStore bytes;
  TypedBuffer<float> floats;
  /// Doubles, once they were converted.
  TypedBuffer<int64_t> ints;

  /// Empties the column, sets the leading zeros, and frees memory beyond `keep`
  /// bytes for each array. False if memory ran out.
  [[nodiscard]] bool Clear(const ColumnPlan& plan, size_t keep = 0);

  /// Bytes of its memory, used or not.
  size_t HeldBytes() const;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_COLUMN_DATA_H_
