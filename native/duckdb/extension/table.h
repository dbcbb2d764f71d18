#ifndef TFR_DUCKDB_EXTENSION_TABLE_H_
#define TFR_DUCKDB_EXTENSION_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/example/parse/plan/plan.h"
#include "duckdb/column.h"

namespace tfr::duckdb {

/// The types of a spec's features.
enum class DType : uint8_t { kInt64, kFloat32, kText, kBytes };

using Shape = std::vector<uint64_t>;

/// Number of values of `shape`, whose sizes were checked.
uint64_t SizeOf(const Shape& shape);

/// A stored feature, or feature list, as a column: `TableColumn` of
/// lib/table/table.ts.
struct TableColumn {
  std::string name;
  std::string key;
  Section section = Section::kFeatures;
  DType dtype = DType::kInt64;
  /// Shape of the values of a record, or step; absent for any number of values.
  std::optional<Shape> shape;
  bool nullable = true;
  /// As `ColumnPlan::fallback`.
  std::string fallback;
};

/// The columns of a query, besides those that it adds.
struct Table {
  std::vector<TableColumn> columns;
  bool sequence = false;
};

/// Names the columns by their keys; with the prefix `context.` or `sequence.`
/// if a feature and a feature list have the same key. Throws QueryError
/// TFR_SPEC if two columns would have the same name.
void NameColumns(Table* table);

/// Checks that DuckDB can distinguish the columns from each other and from
/// `others`. Throws QueryError TFR_SPEC.
void CheckNames(const Table& table, const std::vector<std::string>& others);

Column ColumnOf(const TableColumn& column);
ColumnPlan PlanOf(const TableColumn& column);
Kind KindOf(DType dtype);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_TABLE_H_
