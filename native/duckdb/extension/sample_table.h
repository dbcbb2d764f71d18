#ifndef TFR_DUCKDB_EXTENSION_SAMPLE_TABLE_H_
#define TFR_DUCKDB_EXTENSION_SAMPLE_TABLE_H_

#include <vector>

#include "duckdb/extension/files/found_files.h"
#include "duckdb/extension/settings.h"
#include "duckdb/extension/table.h"

namespace tfr::duckdb {

/// The columns of the features in the first 1,000 records, or 16 MiB, of
/// `files`, as `sampleTable` of lib/sql/sample-table.ts. Throws QueryError
/// TFR_FEATURE for a feature of two types, and the errors of reading if no
/// record comes before them.
Table SampleTable(const std::vector<FoundFile>& files,
                  const Settings& settings);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_SAMPLE_TABLE_H_
