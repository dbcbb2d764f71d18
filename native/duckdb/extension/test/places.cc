// An extension for the tests: LOAD fails unless each function lies at its place
// of kPlaces in the DuckDB that loads it.
#include <dlfcn.h>

#include <string>

#include "duckdb/extension/access.h"

namespace {

using tfr::duckdb::ExtensionAccess;
using tfr::duckdb::ExtensionApi;
using tfr::duckdb::ExtensionInfo;

/// The library of DuckDB, which holds `function`; null if it is not a library.
void* LibraryOf(void* function) {
  Dl_info found;
  if (dladdr(function, &found) == 0) return nullptr;
  return dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

std::string Misplaced(const ExtensionApi& api) {
  void* const library = LibraryOf(api.Find("duckdb_vector_size"));
  if (library == nullptr) return "DuckDB's library is not found";
  std::string names;
  for (const tfr::duckdb::Place& place : tfr::duckdb::kPlaces) {
    const std::string name(place.name);
    if (dlsym(library, name.c_str()) != api.Find(name)) names += " " + name;
  }
  return names.empty() ? "" : "at other places:" + names;
}

}  // namespace

TFR_DUCKDB_EXPORT bool places_init_c_api(ExtensionInfo info,
                                         const ExtensionAccess* access) {
  const ExtensionApi api(*access, info);
  if (!api) return false;
  const std::string misplaced = Misplaced(api);
  if (!misplaced.empty()) access->set_error(info, misplaced.c_str());
  return misplaced.empty();
}
