#ifndef TFR_ADDON_DUCKDB_JS_HOST_H_
#define TFR_ADDON_DUCKDB_JS_HOST_H_

#include <memory>
#include <vector>

#include "addon/base/napi_setup.h"
#include "duckdb/host.h"

namespace tfr::addon {

/// JavaScript thread: returns the host whose decisions are those of `host`, a
/// `DuckdbHost` of lib/native/binding-duckdb.ts.
std::shared_ptr<duckdb::Host> NewJsHost(const Napi::Object& host);

/// JavaScript thread: decodes `DuckdbColumn` objects.
std::vector<duckdb::Column> ColumnsIn(const Napi::Array& list);

/// JavaScript thread: decodes `DuckdbFile` objects.
std::vector<duckdb::File> FilesIn(const Napi::Array& list);

}  // namespace tfr::addon

#endif  // TFR_ADDON_DUCKDB_JS_HOST_H_
