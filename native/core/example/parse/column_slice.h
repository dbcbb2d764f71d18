#ifndef TFR_CORE_EXAMPLE_PARSE_COLUMN_SLICE_H_
#define TFR_CORE_EXAMPLE_PARSE_COLUMN_SLICE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/range.h"
#include "core/example/parse/column_data.h"
#include "core/example/parse/plan/plan.h"

namespace tfr {

/// Location of some rows of a column. Ranges of unused arrays are empty.
struct ColumnSlice {
  /// Indices into `ColumnData::present`, `steps` and `splits`, without the one
  /// past the last.
  Range present;
  Range steps;
  Range splits;
  Range values;
  /// Range of bytes, for a column of bytes.
  Range bytes;
};

/// Returns the slice of `rows`, which must exist in `data`. Empty if nothing
/// was parsed yet.
ColumnSlice SliceColumn(const ColumnPlan& plan, const ColumnData& data,
                        Range rows);

/// Drops all but the first `rows` rows of `data`.
void TruncateColumn(const ColumnPlan& plan, size_t rows, ColumnData* data);

/// Copies the positions at `places` and the one after them, shifted so that the
/// first becomes `base`, which is not negative. `to` has room for one more than
/// the places. Returns false, copying nothing, if a position would exceed
/// int32.
[[nodiscard]] bool CopyPositions(const TypedBuffer<int32_t>& positions,
                                 Range places, int32_t base, int32_t* to);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_COLUMN_SLICE_H_
