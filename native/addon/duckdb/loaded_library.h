#ifndef TFR_ADDON_DUCKDB_LOADED_LIBRARY_H_
#define TFR_ADDON_DUCKDB_LOADED_LIBRARY_H_

#include <string>

namespace tfr::addon {

/// A library that the process has loaded. It stays loaded from then on.
class LoadedLibrary {
 public:
  /// `path`: the full path of its file, UTF-8. Loads nothing.
  explicit LoadedLibrary(const std::string& path);

  bool found() const { return handle_ != nullptr; }
  /// Returns the address of a function of the library, or, except on Windows,
  /// of those that it is linked to; null if there is none.
  void* Find(const char* name) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_DUCKDB_LOADED_LIBRARY_H_
