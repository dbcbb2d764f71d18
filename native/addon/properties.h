#ifndef TFR_ADDON_PROPERTIES_H_
#define TFR_ADDON_PROPERTIES_H_

#include <string>

#include "addon/napi_setup.h"
#include "addon/system_error.h"

namespace tfr::addon {

/// An own property as an object literal makes it, for `DefineProperties`.
/// `Set` would ask the prototypes first: a setter or a read-only property that
/// user code put there would swallow the value. For the same reason objects
/// that JavaScript reads define what does not apply as undefined.
inline Napi::PropertyDescriptor Field(const char* name, napi_value value) {
  return Napi::PropertyDescriptor::Value(name, value, napi_default_jsproperty);
}

/// Element `index` of an array, alike.
inline Napi::PropertyDescriptor Element(Napi::Env env, size_t index,
                                        napi_value value) {
  const napi_value name = Napi::String::New(env, std::to_string(index));
  return Napi::PropertyDescriptor::Value(name, value, napi_default_jsproperty);
}

template <auto kFunction>
auto GuardedCall(const Napi::CallbackInfo& info) -> decltype(kFunction(info)) {
  return Guarded(info.Env(), [&info] { return kFunction(info); });
}

/// A function among the exports. Lack of memory in it becomes an error.
template <auto kFunction>
Napi::PropertyDescriptor Export(Napi::Env env, const char* name) {
  return Field(name, Napi::Function::New<GuardedCall<kFunction>>(env, name));
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_PROPERTIES_H_
