#ifndef TFR_CORE_EXAMPLE_PARSE_COLUMN_SLICE_H_
#define TFR_CORE_EXAMPLE_PARSE_COLUMN_SLICE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/range.h"
#include "core/example/parse/column_data.h"
#include "core/example/parse/plan.h"

namespace tfr {

/// Where some rows of a column lie. Of what the column does not have, nothing.
struct ColumnSlice {
  /// Places in `ColumnData::steps` and `splits`, less the one behind the last.
  Range steps;
  Range splits;
  Range values;
  /// Of bytes.
  Range bytes;
};

/// `rows` of `data`, which has them: of nothing that was parsed, none.
ColumnSlice SliceColumn(const ColumnPlan& plan, const ColumnData& data,
                        Range rows);

/// Keeps the first `rows` rows of `data`.
void TruncateColumn(const ColumnPlan& plan, size_t rows, ColumnData* data);

/// Copies the positions at `places`, and the one behind, so that they begin
/// with `base`, which is 0 or more. `to` has room for one more than the places.
/// If a position would exceed int32, copies nothing and returns false.
[[nodiscard]] bool CopyPositions(const TypedBuffer<int32_t>& positions,
                                 Range places, int32_t base, int32_t* to);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_COLUMN_SLICE_H_
