#ifndef TFR_DUCKDB_WRITE_COLUMN_H_
#define TFR_DUCKDB_WRITE_COLUMN_H_

#include "core/base/range.h"
#include "core/example/parse/column_data.h"
#include "core/example/parse/plan/plan.h"
#include "duckdb/column.h"

namespace tfr::duckdb {

/// Values of a column in Arrow's layout. The rows without values, if any, have
/// places among the items, as all others do.
struct ColumnView {
  /// A bit for each row, lowest first; in whole words of 8 bytes. Null: all
  /// rows have values.
  const uint8_t* validity = nullptr;
  /// See `ColumnData`; null where the column has no such positions.
  const int32_t* steps = nullptr;
  const int32_t* splits = nullptr;
  const int32_t* offsets = nullptr;
  /// int64, float, or the bytes of all strings.
  const void* values = nullptr;
};

/// Copies the values of `rows` of `view` to the start of `vector`, as the other
/// function does. `rows.begin` is a multiple of 64. A column with rows without
/// values has no level `kArray`.
void WriteColumn(const Api& api, const Column& column, const ColumnView& view,
                 Range rows, Vector vector);

/// Copies the values of `rows` of a parsed column to the start of `vector`,
/// whose type is that of `column`. There are at most `vector_size()` rows.
/// Texts must be valid. Throws std::bad_alloc.
void WriteColumn(const Api& api, const Column& column, const ColumnPlan& plan,
                 const ColumnData& data, Range rows, Vector vector);

/// Sets the first `count` values of a VARCHAR vector to `text`.
void WriteText(const Api& api, const std::string& text, size_t count,
               Vector vector);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_WRITE_COLUMN_H_
