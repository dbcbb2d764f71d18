#include "duckdb/extension/table.h"

#include <map>
#include <set>
#include <utility>

#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

/// `MAX_ARRAY_VALUES` of lib/sql/column-types.ts.
constexpr uint64_t kMaxArrayValues = 4096;

/// DuckDB folds the case of ASCII letters in names.
std::string FoldCase(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

[[noreturn]] void RefuseName(const std::string& key, const std::string& why) {
  throw QueryError("TFR_SPEC", why + ". A spec can leave the feature " +
                                   Quoted(key) + " out");
}

Type TypeOf(DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return kBigint;
    case DType::kFloat32:
      return kFloat;
    case DType::kText:
      return kVarchar;
    case DType::kBytes:
      return kBlob;
  }
  return kBlob;
}

}  // namespace

uint64_t SizeOf(const Shape& shape) {
  uint64_t size = 1;
  for (const uint64_t each : shape) size *= each;
  return size;
}

Kind KindOf(DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return Kind::kInt64;
    case DType::kFloat32:
      return Kind::kFloat;
    default:
      return Kind::kBytes;
  }
}

void NameColumns(Table* table) {
  std::map<std::string, int> counts;
  for (const TableColumn& column : table->columns) ++counts[column.key];
  std::set<std::string> names;
  for (TableColumn& column : table->columns) {
    const char* const prefix =
        column.section == Section::kFeatures ? "context." : "sequence.";
    column.name = (counts[column.key] == 1 ? "" : prefix) + column.key;
    if (!names.insert(column.name).second) {
      throw QueryError("TFR_SPEC",
                       "two columns would be called " + Quoted(column.name));
    }
  }
}

void CheckNames(const Table& table, const std::vector<std::string>& others) {
  std::map<std::string, std::string> known;
  for (const std::string& name : others) {
    known.emplace(name, "the column " + Quoted(name) + " that the query adds");
  }
  for (const TableColumn& column : table.columns) {
    const std::string feature = "the feature " + Quoted(column.key);
    if (column.name.empty()) {
      RefuseName(column.key, "a column cannot have an empty name");
    }
    if (column.name.find('\0') != std::string::npos) {
      RefuseName(column.key, "a column's name cannot have a null character");
    }
    const auto [other, added] = known.emplace(FoldCase(column.name), feature);
    if (added) continue;
    RefuseName(column.key, "DuckDB cannot distinguish " + feature + " from " +
                               other->second);
  }
}

Column ColumnOf(const TableColumn& column) {
  Column result;
  result.name = column.name;
  result.type = TypeOf(column.dtype);
  if (column.section == Section::kLists) result.levels.emplace_back();
  if (!column.shape) {
    result.levels.emplace_back();
    return result;
  }
  const uint64_t values = SizeOf(*column.shape);
  const Level::Kind kind =
      values > 0 && values <= kMaxArrayValues ? Level::kArray : Level::kFixed;
  for (const uint64_t size : *column.shape) {
    result.levels.push_back({kind, size});
  }
  return result;
}

ColumnPlan PlanOf(const TableColumn& column) {
  ColumnPlan plan;
  plan.key = column.key;
  plan.section = column.section;
  plan.kind = KindOf(column.dtype);
  if (column.shape) plan.count = static_cast<int64_t>(SizeOf(*column.shape));
  plan.required = !column.nullable && column.fallback.empty();
  plan.fallback = column.fallback;
  plan.optional = column.nullable;
  return plan;
}

}  // namespace tfr::duckdb
