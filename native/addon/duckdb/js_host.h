#ifndef TFR_ADDON_DUCKDB_JS_HOST_H_
#define TFR_ADDON_DUCKDB_JS_HOST_H_

#include <memory>

#include "addon/base/napi_setup.h"
#include "duckdb/host.h"

namespace tfr::addon {

/// JavaScript thread: returns the host whose decisions are those of `host`, a
/// `DuckdbHost` of lib/native/binding-duckdb.ts.
std::shared_ptr<duckdb::Host> NewJsHost(const Napi::Object& host);

}  // namespace tfr::addon

#endif  // TFR_ADDON_DUCKDB_JS_HOST_H_
