#include "core/deflate/isal_library.h"

#if defined(TFR_HAVE_ISAL)

#include <new>
#include <string>

#if defined(_WIN32)
#include "core/io/windows_error.h"
#include "core/io/windows_path.h"
#else
#include <dlfcn.h>
#endif

namespace tfr {
namespace {

#if defined(_WIN32)

using Module = HMODULE;
constexpr const wchar_t* kNames[] = {L"isa-l.dll", L"libisal-2.dll"};

void* Symbol(Module module, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(module, name));
}

/// The folder of the binary that holds this code, with its last separator.
std::wstring OwnFolder() {
  HMODULE self = nullptr;
  if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                              GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                          reinterpret_cast<LPCWSTR>(&OwnFolder), &self)) {
    return {};
  }
  std::wstring path(32768, L'\0');  // The longest that Windows has.
  path.resize(
      GetModuleFileNameW(self, path.data(), static_cast<DWORD>(path.size())));
  path = LongPath(path);
  return path.substr(0, path.find_last_of(L"\\/") + 1);
}

Module OpenLibrary() {
  const std::wstring folder = OwnFolder();
  for (const wchar_t* name : kNames) {
    if (folder.empty()) break;
    const Module module = LoadLibraryExW((folder + name).c_str(), nullptr,
                                         LOAD_WITH_ALTERED_SEARCH_PATH);
    if (module != nullptr) return module;
  }
  // Not the current folder, where anyone may have placed a file.
  for (const wchar_t* name : kNames) {
    const Module module =
        LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (module != nullptr) return module;
  }
  return nullptr;
}

#else

using Module = void*;
#if defined(__APPLE__)
constexpr const char* kName = "libisal.2.dylib";
constexpr const char* kFolders[] = {"", "/opt/homebrew/lib/",
                                    "/usr/local/lib/"};
#else
constexpr const char* kName = "libisal.so.2";
constexpr const char* kFolders[] = {""};  // The loader's own search.
#endif

void* Symbol(Module module, const char* name) { return dlsym(module, name); }

/// The folder of the binary that holds this code, with its last separator.
std::string OwnFolder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 ||
      info.dli_fname == nullptr) {
    return {};
  }
  const std::string whole(info.dli_fname);
  return whole.substr(0, whole.find_last_of('/') + 1);
}

Module OpenLibrary() {
  const std::string own = OwnFolder();
  if (!own.empty()) {
    if (Module module = dlopen((own + kName).c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return module;
    }
  }
  for (const char* folder : kFolders) {
    const std::string path = std::string(folder) + kName;
    if (Module module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return module;
    }
  }
  return nullptr;
}

#endif

template <typename Function>
bool Bind(Module module, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(Symbol(module, name));
  return *function != nullptr;
}

const IsalLibrary* Load() {
  const Module module = OpenLibrary();
  if (module == nullptr) return nullptr;
  static IsalLibrary library;
  const bool whole =
      Bind(module, "isal_inflate_init", &library.isal_inflate_init) &&
      Bind(module, "isal_inflate_set_dict", &library.isal_inflate_set_dict) &&
      Bind(module, "isal_inflate", &library.isal_inflate) &&
      Bind(module, "isal_deflate_stateless_init",
           &library.isal_deflate_stateless_init) &&
      Bind(module, "isal_deflate_stateless", &library.isal_deflate_stateless) &&
      Bind(module, "crc32_gzip_refl", &library.crc32_gzip_refl) &&
      Bind(module, "isal_adler32", &library.isal_adler32);
  return whole ? &library : nullptr;
}

}  // namespace

const IsalLibrary* LoadIsal() {
  static const IsalLibrary* const library = Load();
  return library;
}

}  // namespace tfr

#endif  // TFR_HAVE_ISAL
