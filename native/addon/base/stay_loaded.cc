#include "addon/base/stay_loaded.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace tfr::addon {

void StayLoaded() {
#if defined(_WIN32)
  HMODULE self = nullptr;
  GetModuleHandleExW(
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
      reinterpret_cast<LPCWSTR>(&StayLoaded), &self);
#elif defined(__APPLE__)
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&StayLoaded), &self) != 0) {
    dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
#endif
}

}  // namespace tfr::addon
