#ifndef TFR_ADDON_BASE_ERRORS_H_
#define TFR_ADDON_BASE_ERRORS_H_

#include <cerrno>
#include <cstdint>
#include <new>

#include "addon/base/napi_setup.h"
#include "core/base/fault.h"

namespace tfr::addon {

/// Returns an error with `code`, `errno` and `syscall`, like Node's own.
/// `error` is ENOMEM or EAGAIN. TypeScript adds the file and converts it to a
/// TFRecordError.
Napi::Error SystemError(Napi::Env env, int error, const char* syscall);

/// Returns the result of `call`, or throws ENOMEM if memory runs out in it.
/// Every call from JavaScript into native code passes through here.
template <class Call>
auto Guarded(Napi::Env env, Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw SystemError(env, ENOMEM, "malloc");
  }
}

/// Returns `Fault` of lib/native/binding.ts; undefined for no fault.
Napi::Value FaultValue(Napi::Env env, const Fault& fault);

/// Returns a position as a number; undefined for kUnknown.
Napi::Value PlaceValue(Napi::Env env, uint64_t place);

}  // namespace tfr::addon

#endif  // TFR_ADDON_BASE_ERRORS_H_
