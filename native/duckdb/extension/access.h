#ifndef TFR_DUCKDB_EXTENSION_ACCESS_H_
#define TFR_DUCKDB_EXTENSION_ACCESS_H_

#include "duckdb/api.h"
#include "duckdb/extension/places.h"

#if defined(_WIN32)
#define TFR_DUCKDB_EXPORT extern "C" __declspec(dllexport)
#else
#define TFR_DUCKDB_EXPORT extern "C" __attribute__((visibility("default")))
#endif

/// The objects that DuckDB passes to the entry point of an extension.
namespace tfr::duckdb {

using ExtensionInfo = struct ExtensionInfoHandle*;
using Database = struct DatabaseHandle*;

/// `duckdb_extension_access`.
struct ExtensionAccess {
  void (*set_error)(ExtensionInfo, const char*);
  Database* (*get_database)(ExtensionInfo);
  /// Returns the array of functions; null, after an error of its own, for a
  /// version that this DuckDB does not have.
  const void* (*get_api)(ExtensionInfo, const char* version);
};

/// Functions of DuckDB by their places.
class ExtensionApi {
 public:
  ExtensionApi(const ExtensionAccess& access, ExtensionInfo info)
      : functions_(
            static_cast<void* const*>(access.get_api(info, kApiVersion))) {}

  explicit operator bool() const { return functions_ != nullptr; }

  /// Returns null for a name without a place.
  void* Find(std::string_view name) const {
    const size_t place = PlaceOf(name);
    return place == kNoPlace ? nullptr : functions_[place];
  }

  template <class Function>
  Function As(std::string_view name) const {
    return reinterpret_cast<Function>(Find(name));
  }

 private:
  void* const* functions_;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_ACCESS_H_
