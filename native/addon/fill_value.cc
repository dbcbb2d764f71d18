#include "addon/fill_value.h"

#include <cstring>

#include "addon/fault_value.h"
#include "addon/properties.h"

namespace tfr::addon {

Napi::Value FillValue(Napi::Env env, const Fill& fill) {
  const auto number = [env](uint64_t value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  const size_t count = fill.frames.size();
  Napi::Uint32Array frames = Napi::Uint32Array::New(env, count * 2);
  static_assert(sizeof(Frame) == 2 * sizeof(uint32_t));
  if (count > 0) {
    std::memcpy(frames.Data(), fill.frames.data(), count * sizeof(Frame));
  }
  Napi::Array faults = Napi::Array::New(env, fill.faults.size());
  for (size_t i = 0; i < fill.faults.size(); ++i) {
    faults.DefineProperty(Element(env, i, FaultValue(env, fill.faults[i])));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("outcome", number(static_cast<uint64_t>(fill.outcome))),
      Field("frames", frames),
      Field("firstRecord", number(fill.first_record)),
      Field("base", number(fill.base)),
      Field("faults", faults),
      Field("halt", FaultValue(env, fill.halt)),
      Field("growTo", number(fill.grow_to)),
      Field("compression", Napi::String::New(env, NameOf(fill.compression))),
      Field("compressedBytes", number(fill.compressed_bytes)),
      Field("totalBytes", Napi::Number::New(env, fill.total_bytes == kUnknown
                                                     ? -1
                                                     : static_cast<double>(
                                                           fill.total_bytes))),
  });
  return object;
}

}  // namespace tfr::addon
