#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/napi_setup.h"
#include "addon/base/properties.h"
#include "addon/base/stay_loaded.h"
#include "addon/bindings.h"
#include "addon/example/parser.h"
#include "addon/example/scattered_records.h"
#include "core/base/thread_pool.h"
#include "core/crc32c/crc32c.h"
#include "core/deflate/registry.h"
#include "core/io/file_lock.h"
#include "core/record/recovery/frame_search.h"

namespace tfr::addon {
namespace {

Napi::Value Crc32c(const Napi::CallbackInfo& info) {
  const ByteSpan bytes = GetBytes(info[0]);
  const uint32_t previous = info[1].As<Napi::Number>().Uint32Value();
  return Napi::Number::New(info.Env(),
                           crc32c::Extend(previous, bytes.data, bytes.size));
}

Napi::Value FindHeaderIn(const Napi::CallbackInfo& info) {
  const ByteSpan bytes = GetBytes(info[0]);
  const auto most =
      static_cast<uint64_t>(info[1].As<Napi::Number>().Int64Value());
  const size_t at = FindHeader(bytes.data, bytes.size, 0, most);
  return Napi::Number::New(info.Env(), static_cast<double>(at));
}

Napi::Value Codecs(const Napi::CallbackInfo& info) {
  if (info[0].IsObject()) {
    const auto allow = info[0].As<Napi::Object>();
    ChooseCodecs(
        {allow.Get("isal").ToBoolean(), allow.Get("libdeflate").ToBoolean()});
  }
  const CodecChoice choice = AvailableCodecs();
  Napi::Object object = Napi::Object::New(info.Env());
  object.DefineProperties({
      Field("isal", Napi::Boolean::New(info.Env(), choice.isal)),
      Field("libdeflate", Napi::Boolean::New(info.Env(), choice.libdeflate)),
  });
  return object;
}

Napi::Value LockFileOf(const Napi::CallbackInfo& info) {
  const int descriptor = info[0].As<Napi::Number>().Int32Value();
  return Napi::Boolean::New(info.Env(), TryLockFile(descriptor));
}

Napi::Value Info(const Napi::CallbackInfo& info) {
  Napi::Object object = Napi::Object::New(info.Env());
  const int threads = ThreadPool::Shared().size();
  object.DefineProperties({
      Field("crc32c", Napi::String::New(info.Env(), crc32c::KernelName())),
      Field("threads", Napi::Number::New(info.Env(), threads)),
  });
  return object;
}

void Detach(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto buffers = info[0].As<Napi::Array>();
  const uint32_t count = buffers.Length();
  for (uint32_t i = 0; i < count; ++i) {
    // Fails harmlessly for a buffer that is already detached, or shared.
    (void)napi_detach_arraybuffer(env, buffers.Get(i));
  }
}

Napi::Object ExportAll(Napi::Env env, Napi::Object exports) {
  EnvState::Create(env);
  exports.DefineProperties({
      Export<Crc32c>(env, "crc32c"),
      Export<FindHeaderIn>(env, "findHeader"),
      Export<Codecs>(env, "codecs"),
      Export<Detach>(env, "detach"),
      Export<Info>(env, "info"),
      Export<LockFileOf>(env, "lockFile"),
  });
  ExportDuckdb(env, exports);
  ExportDecoder(env, exports);
  ExportEncoder(env, exports);
  ExportPieces(env, exports);
  ExportGather(env, exports);
  ExportParseJob(env, exports);
  ExportParser(env, exports);
  ExportReader(env, exports);
  ExportIndex(env, exports);
  ExportKeys(env, exports);
  ExportGathering(env, exports);
  ExportRows(env, exports);
  ExportSurvey(env, exports);
  ExportLines(env, exports);
  ExportJsonRows(env, exports);
  ExportCsvRows(env, exports);
  ExportWriter(env, exports);
  return exports;
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  StayLoaded();
  return Guarded(env, [&] { return ExportAll(env, exports); });
}

NODE_API_MODULE(tfrecord, Init)

}  // namespace
}  // namespace tfr::addon
