#ifndef TFR_DUCKDB_COLUMN_H_
#define TFR_DUCKDB_COLUMN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "duckdb/api.h"

namespace tfr::duckdb {

/// A level of nested values, from the outermost: `Level` of
/// lib/sql/column-types.ts.
struct Level {
  enum Kind : uint8_t {
    kAnyLength,  ///< A list with any number of items.
    kArray,      ///< An array type with `size` items.
    kFixed,      ///< A list with `size` items in each row.
  };
  Kind kind = kAnyLength;
  uint64_t size = 0;
};

/// A column of the function's result.
struct Column {
  std::string name;
  /// Type of the innermost values: kBigint, kFloat, kDouble, kVarchar or kBlob.
  Type type = kBigint;
  std::vector<Level> levels;
};

/// The caller destroys the type.
LogicalType NewType(const Api& api, const Column& column);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_COLUMN_H_
