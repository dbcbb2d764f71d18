#include "duckdb/column.h"

namespace tfr::duckdb {

LogicalType NewType(const Api& api, const Column& column) {
  LogicalType type = api.create_logical_type(column.type);
  for (size_t i = column.levels.size(); i-- > 0;) {
    const Level& level = column.levels[i];
    LogicalType outer = level.kind == Level::kArray
                            ? api.create_array_type(type, level.size)
                            : api.create_list_type(type);
    api.destroy_logical_type(&type);
    type = outer;
  }
  return type;
}

}  // namespace tfr::duckdb
