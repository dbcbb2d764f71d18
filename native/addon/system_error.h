#ifndef TFR_ADDON_SYSTEM_ERROR_H_
#define TFR_ADDON_SYSTEM_ERROR_H_

#include <cerrno>
#include <new>

#include "addon/napi_setup.h"

namespace tfr::addon {

/// An error with `code`, `errno` and `syscall`, as Node's own have them.
/// `error` is ENOMEM or EAGAIN. TypeScript adds the file and makes it a
/// TFRecordError.
Napi::Error SystemError(Napi::Env env, int error, const char* syscall);

/// Returns what `call` does. Where memory runs out in it, throws ENOMEM: every
/// way from JavaScript into native code leads through here.
template <class Call>
auto Guarded(Napi::Env env, Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw SystemError(env, ENOMEM, "malloc");
  }
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_SYSTEM_ERROR_H_
