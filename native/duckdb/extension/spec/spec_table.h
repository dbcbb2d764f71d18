#ifndef TFR_DUCKDB_EXTENSION_SPEC_SPEC_TABLE_H_
#define TFR_DUCKDB_EXTENSION_SPEC_SPEC_TABLE_H_

#include <string>

#include "duckdb/extension/table.h"

namespace tfr::duckdb {

/// The columns of the features that a spec reads: the JSON of `specToJSON`, or
/// `{ "context": …, "sequence": … }` with one or both. Throws QueryError
/// TFR_SPEC.
Table TableOfSpec(const std::string& text);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_SPEC_SPEC_TABLE_H_
