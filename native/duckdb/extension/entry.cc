#include <exception>
#include <memory>
#include <utility>

#include "duckdb/extension/access.h"
#include "duckdb/extension/file_host.h"
#include "duckdb/extension/settings.h"
#include "duckdb/table_function.h"

namespace tfr::duckdb {
namespace {

/// A connection to the database that loads the extension.
class OwnConnection {
 public:
  OwnConnection(const ExtensionApi& api, Database database)
      : disconnect_(api.As<void (*)(Connection*)>("duckdb_disconnect")) {
    const auto connect =
        api.As<State (*)(Database, Connection*)>("duckdb_connect");
    if (connect(database, &connection_) != kSuccess) connection_ = nullptr;
  }
  OwnConnection(const OwnConnection&) = delete;
  OwnConnection& operator=(const OwnConnection&) = delete;
  ~OwnConnection() {
    if (connection_ != nullptr) disconnect_(&connection_);
  }

  Connection get() const { return connection_; }

 private:
  void (*const disconnect_)(Connection*);
  Connection connection_ = nullptr;
};

/// Returns the reason for failure; null after success.
const char* AddFunction(const ExtensionApi& found, Database database) {
  Api api;
  if (!Load(&api, [&](const char* name) { return found.Find(name); })) {
    return "this DuckDB lacks functions of the C API v1.2.0";
  }
  const OwnConnection connection(found, database);
  if (connection.get() == nullptr) return "the database cannot be connected to";
  if (!Register(api, connection.get(), "read_tfrecord", FileParameters(),
                NewFileHost())) {
    return "read_tfrecord cannot be added to the database";
  }
  return nullptr;
}

}  // namespace
}  // namespace tfr::duckdb

/// Called by DuckDB's LOAD.
TFR_DUCKDB_EXPORT bool tfrecord_init_c_api(
    tfr::duckdb::ExtensionInfo info,
    const tfr::duckdb::ExtensionAccess* access) {
  const tfr::duckdb::ExtensionApi api(*access, info);
  if (!api) return false;
  const char* error = nullptr;
  try {
    error = tfr::duckdb::AddFunction(api, *access->get_database(info));
  } catch (const std::exception&) {
    error = "not enough memory";
  }
  if (error == nullptr) return true;
  access->set_error(info, error);
  return false;
}
