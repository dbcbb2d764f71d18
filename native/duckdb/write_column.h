#ifndef TFR_DUCKDB_WRITE_COLUMN_H_
#define TFR_DUCKDB_WRITE_COLUMN_H_

#include "core/base/range.h"
#include "core/example/parse/column_data.h"
#include "core/example/parse/plan/plan.h"
#include "duckdb/column.h"

namespace tfr::duckdb {

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
