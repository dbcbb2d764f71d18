#include "addon/system_error.h"

#include "addon/properties.h"

namespace tfr::addon {

Napi::Error SystemError(Napi::Env env, int error, const char* syscall) {
  const bool memory = error == ENOMEM;
  Napi::Error made = Napi::Error::New(
      env, memory ? "ENOMEM: not enough memory"
                  : "EAGAIN: the system cannot start a thread");
  made.Value().DefineProperties({
      Field("code", Napi::String::New(env, memory ? "ENOMEM" : "EAGAIN")),
      Field("errno", Napi::Number::New(env, -error)),
      Field("syscall", Napi::String::New(env, syscall)),
  });
  return made;
}

}  // namespace tfr::addon
