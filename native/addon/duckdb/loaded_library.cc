#include "addon/duckdb/loaded_library.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "core/io/windows_path.h"
#else
#include <dlfcn.h>
#endif

namespace tfr::addon {

#if defined(_WIN32)

LoadedLibrary::LoadedLibrary(const std::string& path) {
  std::wstring wide;
  if (WidePath(path, &wide)) return;
  HMODULE module = nullptr;
  if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN, wide.c_str(),
                         &module)) {
    handle_ = module;
  }
}

void* LoadedLibrary::Find(const char* name) const {
  return reinterpret_cast<void*>(
      GetProcAddress(static_cast<HMODULE>(handle_), name));
}

#else

// Never closed: DuckDB may call our functions, and we its, until the process
// ends.
LoadedLibrary::LoadedLibrary(const std::string& path)
    : handle_(dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) {}

void* LoadedLibrary::Find(const char* name) const {
  return dlsym(handle_, name);
}

#endif

}  // namespace tfr::addon
