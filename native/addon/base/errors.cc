#include "addon/base/errors.h"

#include "addon/base/properties.h"

namespace tfr::addon {

Napi::Value PlaceValue(Napi::Env env, uint64_t place) {
  if (place == kUnknown) return env.Undefined();
  return Napi::Number::New(env, static_cast<double>(place));
}

Napi::Value FaultValue(Napi::Env env, const Fault& fault) {
  if (!fault) return env.Undefined();
  Napi::Object object = Napi::Object::New(env);
  const Napi::Value system_error =
      fault.code == FaultCode::kSystem
          ? Napi::Number::New(env, fault.system_error)
          : env.Undefined();
  object.DefineProperties({
      Field("code", Napi::String::New(env, CodeName(fault.code))),
      Field("part", Napi::String::New(env, fault.part)),
      Field("detail", Napi::String::New(env, fault.detail)),
      Field("expected", Napi::BigInt::New(env, fault.expected)),
      Field("found", Napi::BigInt::New(env, fault.found)),
      Field("record", PlaceValue(env, fault.record)),
      Field("offset", PlaceValue(env, fault.offset)),
      Field("compressedOffset", PlaceValue(env, fault.compressed_offset)),
      Field("trailerEnd", PlaceValue(env, fault.trailer_end)),
      Field("lostBytes", PlaceValue(env, fault.lost)),
      Field("resumes", Napi::Boolean::New(env, fault.resumes)),
      Field("resumesAt", PlaceValue(env, fault.resume_at)),
      Field("regionEnd", PlaceValue(env, fault.region_end)),
      Field("resumesWith", PlaceValue(env, fault.resume_record)),
      Field("inside", PlaceValue(env, fault.inside)),
      Field("doubtful", PlaceValue(env, fault.doubtful)),
      Field("fitting", Napi::Number::New(env, fault.fitting)),
      Field("systemError", system_error),
  });
  return object;
}

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
