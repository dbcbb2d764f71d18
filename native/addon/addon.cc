#include "addon/env_state.h"
#include "addon/handle.h"
#include "addon/napi_setup.h"
#include "addon/reader_binding.h"
#include "addon/writer_binding.h"
#include "core/base/thread_pool.h"
#include "core/codec/codec_registry.h"
#include "core/crc32c/crc32c.h"

namespace tfr::addon {
namespace {

Napi::Value Crc32c(const Napi::CallbackInfo& info) {
  const ByteSpan bytes = GetBytes(info[0]);
  const uint32_t previous = info[1].As<Napi::Number>().Uint32Value();
  return Napi::Number::New(info.Env(),
                           crc32c::Extend(previous, bytes.data, bytes.size));
}

Napi::Value Codecs(const Napi::CallbackInfo& info) {
  if (info[0].IsObject()) {
    const auto allow = info[0].As<Napi::Object>();
    ChooseCodecs(
        {allow.Get("isal").ToBoolean(), allow.Get("libdeflate").ToBoolean()});
  }
  const CodecChoice choice = AvailableCodecs();
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("isal", choice.isal);
  object.Set("libdeflate", choice.libdeflate);
  return object;
}

Napi::Value Info(const Napi::CallbackInfo& info) {
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("crc32c", crc32c::KernelName());
  object.Set("threads",
             Napi::Number::New(info.Env(), ThreadPool::Shared().size()));
  return object;
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  EnvState::Create(env);
  exports.Set("crc32c", Napi::Function::New<Crc32c>(env));
  ExportReader(env, exports);
  ExportWriter(env, exports);
  exports.Set("codecs", Napi::Function::New<Codecs>(env));
  exports.Set("info", Napi::Function::New<Info>(env));
  return exports;
}

NODE_API_MODULE(tfrecord, Init)

}  // namespace
}  // namespace tfr::addon
