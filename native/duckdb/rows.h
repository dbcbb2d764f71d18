#ifndef TFR_DUCKDB_ROWS_H_
#define TFR_DUCKDB_ROWS_H_

#include <string>

#include "duckdb/api.h"

namespace tfr::duckdb {

/// The rows of one pass of a query. One thread at a time calls it.
class Rows {
 public:
  virtual ~Rows() = default;

  /// Fills `chunk` with the next rows; with none at the end. Returns false, and
  /// sets `*error`, if the query must fail. Throws std::bad_alloc.
  [[nodiscard]] virtual bool Fill(DataChunk chunk, std::string* error) = 0;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_ROWS_H_
