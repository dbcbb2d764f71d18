#ifndef TFR_WASM_EXPORTS_H_
#define TFR_WASM_EXPORTS_H_

#include <new>

#include "wasm/host.h"

/// Declares a function that lib/native/wasm calls. Its arguments are checked
/// there: pointers and handles are those that this module returned.
#define TFR_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace tfr::wasm {

/// Returns the result of `call`. If memory runs out in it, throws JavaScript's
/// ENOMEM error instead. Every export that may allocate passes through here.
template <class Call>
auto Guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
  }
  host::OutOfMemory();
}

/// Throws ENOMEM if `done` is false.
inline void NeedMemory(bool done) {
  if (!done) host::OutOfMemory();
}

}  // namespace tfr::wasm

#endif  // TFR_WASM_EXPORTS_H_
