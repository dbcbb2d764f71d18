#ifndef TFR_DUCKDB_TABLE_FUNCTION_H_
#define TFR_DUCKDB_TABLE_FUNCTION_H_

#include <memory>
#include <string>
#include <vector>

#include "duckdb/host.h"

namespace tfr::duckdb {

/// Named parameters of the function besides the paths.
struct Parameter {
  std::string name;
  Type type;
};

/// Adds the table function `name` to the database of `connection`. Its first
/// argument is a path, a pattern, or a list of these. DuckDB keeps `host` as
/// long as the function, or one of its queries, and frees it on any thread.
/// Returns false if DuckDB refuses, or if the process has too many DuckDBs.
[[nodiscard]] bool Register(const Api& api, Connection connection,
                            const std::string& name,
                            std::vector<Parameter> parameters,
                            std::shared_ptr<Host> host);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_TABLE_FUNCTION_H_
