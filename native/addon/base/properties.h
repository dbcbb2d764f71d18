#ifndef TFR_ADDON_BASE_PROPERTIES_H_
#define TFR_ADDON_BASE_PROPERTIES_H_

#include <string>

#include "addon/base/errors.h"
#include "addon/base/napi_setup.h"

namespace tfr::addon {

/// An own property like that of an object literal, for `DefineProperties`.
/// `Set` would look at the prototypes first, where a setter or read-only
/// property of user code would swallow the value. For the same reason, result
/// objects define inapplicable fields as undefined instead of omitting them.
inline Napi::PropertyDescriptor Field(const char* name, napi_value value) {
  return Napi::PropertyDescriptor::Value(name, value, napi_default_jsproperty);
}

/// The same for element `index` of an array.
inline Napi::PropertyDescriptor Element(Napi::Env env, size_t index,
                                        napi_value value) {
  const napi_value name = Napi::String::New(env, std::to_string(index));
  return Napi::PropertyDescriptor::Value(name, value, napi_default_jsproperty);
}

template <auto kFunction>
auto GuardedCall(const Napi::CallbackInfo& info) -> decltype(kFunction(info)) {
  return Guarded(info.Env(), [&info] { return kFunction(info); });
}

/// An exported function. Running out of memory in it throws an error.
template <auto kFunction>
Napi::PropertyDescriptor Export(Napi::Env env, const char* name) {
  return Field(name, Napi::Function::New<GuardedCall<kFunction>>(env, name));
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_BASE_PROPERTIES_H_
