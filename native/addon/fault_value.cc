#include "addon/fault_value.h"

namespace tfr::addon {
namespace {

const char* NameOf(FaultCode code) {
  switch (code) {
    case FaultCode::kNone:
      return "";
    case FaultCode::kTruncated:
      return "TFR_TRUNCATED";
    case FaultCode::kTrailingData:
      return "TFR_TRAILING_DATA";
    case FaultCode::kCorruptLength:
      return "TFR_CORRUPT_LENGTH";
    case FaultCode::kCorruptData:
      return "TFR_CORRUPT_DATA";
    case FaultCode::kNotTFRecord:
      return "TFR_NOT_TFRECORD";
    case FaultCode::kCompression:
      return "TFR_COMPRESSION";
    case FaultCode::kRecordTooLarge:
      return "TFR_RECORD_TOO_LARGE";
    case FaultCode::kSystem:
      return "SYSTEM";
    case FaultCode::kOutOfMemory:
      return "OUT_OF_MEMORY";
  }
  return "";
}

void SetPlace(Napi::Object* object, const char* name, uint64_t place) {
  if (place == kUnknown) return;
  object->Set(name,
              Napi::Number::New(object->Env(), static_cast<double>(place)));
}

}  // namespace

Napi::Value FaultValue(Napi::Env env, const Fault& fault) {
  if (!fault) return env.Undefined();
  Napi::Object object = Napi::Object::New(env);
  object.Set("code", NameOf(fault.code));
  object.Set("part", fault.part);
  object.Set("detail", fault.detail);
  object.Set("expected", Napi::BigInt::New(env, fault.expected));
  object.Set("found", Napi::BigInt::New(env, fault.found));
  SetPlace(&object, "record", fault.record);
  SetPlace(&object, "offset", fault.offset);
  SetPlace(&object, "compressedOffset", fault.compressed_offset);
  if (fault.code == FaultCode::kSystem) {
    object.Set("systemError", Napi::Number::New(env, fault.system_error));
  }
  return object;
}

}  // namespace tfr::addon
