#ifndef TFR_DUCKDB_EXTENSION_FILE_HOST_H_
#define TFR_DUCKDB_EXTENSION_FILE_HOST_H_

#include <memory>

#include "duckdb/host.h"

namespace tfr::duckdb {

/// The host of the extension: finds the files and columns of queries by itself,
/// from the parameters of `FileParameters`.
std::shared_ptr<Host> NewFileHost();

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_FILE_HOST_H_
