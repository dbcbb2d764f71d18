#ifndef TFR_CORE_EXAMPLE_PARSE_COLUMN_DATA_H_
#define TFR_CORE_EXAMPLE_PARSE_COLUMN_DATA_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/example/parse/byte_store.h"
#include "core/example/parse/plan/plan.h"

namespace tfr {

/// The rows of one column, in Arrow's layout. The plan decides which arrays are
/// used. Each array of positions starts with 0 and has one more entry than it
/// has items:
///
///   present  optional: start of each row's items, of which it has one or none
///   steps    feature lists: start of the steps of each row (each item)
///   splits   any count: start of the values of each row (each item, each step)
///   offsets  bytes: start of each value in `bytes`
struct ColumnData {
  TypedBuffer<int32_t> present;
  TypedBuffer<int32_t> steps;
  TypedBuffer<int32_t> splits;
  TypedBuffer<int32_t> offsets;
  ByteStore bytes;
  TypedBuffer<float> floats;
  /// Doubles, after `ConvertToNumbers`.
  TypedBuffer<int64_t> ints;

  /// Empties the column, sets the leading zeros, and releases memory beyond
  /// `keep` bytes per array. Returns false when memory runs out.
  [[nodiscard]] bool Clear(const ColumnPlan& plan, size_t keep = 0);

  /// Size of its memory, used or not.
  size_t HeldBytes() const;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_COLUMN_DATA_H_
