#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "addon/bindings.h"
#include "addon/env_state.h"
#include "addon/errors.h"
#include "addon/handle.h"
#include "addon/properties.h"
#include "addon/reading.h"
#include "core/index/index_scan.h"
#include "core/io/file_source.h"

namespace tfr::addon {
namespace {

/// The object behind the handle of an index.
struct IndexHolder {
  static constexpr napi_type_tag kTag = {0x3d81c6f00b5247ae,
                                         0xa4e97c15d2086b3f};
  IndexHolder(std::string path, const ReaderSpec& spec,
              std::shared_ptr<const CancelToken::Flag> closing)
      : path(std::move(path)),
        scan(NewFileSource(this->path), spec, std::move(closing)) {}

  void Abandon() { scan.Cancel(); }

  const std::string path;
  IndexScan scan;
  /// A job advances the scan.
  bool busy = false;
};

using Holder = std::shared_ptr<IndexHolder>;

Napi::Value Number(Napi::Env env, uint64_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

class AdvanceJob final : public Job, public IndexScan::Waiting {
 public:
  AdvanceJob(EnvState* env, Holder holder)
      : env_(env), holder_(std::move(holder)) {
    holder_->busy = true;
  }

  void Advanced() override { env_->Done(this); }

  /// `IndexProgress` of lib/native/binding-places.ts.
  Napi::Value Finish(Napi::Env env) override {
    holder_->busy = false;
    const ScanState& state = holder_->scan.state();
    const TypedBuffer<Fault> found = holder_->scan.TakeFaults();
    Napi::Array faults = Napi::Array::New(env, found.size());
    for (size_t i = 0; i < found.size(); ++i) {
      faults.DefineProperty(Element(env, i, FaultValue(env, found[i])));
    }
    Napi::Object object = Napi::Object::New(env);
    object.DefineProperties({
        Field("records", Number(env, state.records)),
        Field("compressedBytes", Number(env, state.compressed_bytes)),
        Field("totalBytes", state.total_bytes == kUnknown
                                ? Napi::Number::New(env, -1)
                                : Number(env, state.total_bytes)),
        Field("compression", Napi::String::New(env, NameOf(state.compression))),
        Field("complete", Napi::Boolean::New(env, state.complete)),
        Field("faults", faults),
        Field("halt", FaultValue(env, state.halt)),
        Field("heldBytes", Number(env, holder_->scan.index().held_bytes())),
    });
    return object;
  }

 private:
  EnvState* const env_;
  const Holder holder_;
};

Napi::Value Open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  return NewHandle(
      env, std::make_shared<IndexHolder>(info[0].As<Napi::String>().Utf8Value(),
                                         DecodeSpec(info[1]),
                                         EnvState::Get(env)->closing()));
}

Napi::Value Advance(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  if (holder->busy) {
    throw Napi::Error::New(env, "tfrecord: the scan is at work");
  }
  const std::chrono::milliseconds time(
      info[1].As<Napi::Number>().Uint32Value());
  auto job = std::make_unique<AdvanceJob>(EnvState::Get(env), holder);
  const Napi::Value promise =
      EnvState::Get(env)->Begin(env, job.get(), Napi::Value());
  holder->scan.Advance(time, job.release());
  return promise;
}

uint64_t CountAt(const Napi::CallbackInfo& info, size_t at) {
  return static_cast<uint64_t>(info[at].As<Napi::Number>().Int64Value());
}

Napi::Value OpenReader(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  RecordIndex::Jump jump;
  if (!holder->scan.index().Find(CountAt(info, 1), CountAt(info, 2), &jump)) {
    return env.Undefined();
  }
  const Napi::Value reader = ReaderValue(
      env, holder->scan.NewReader(NewFileSource(holder->path, jump.position()),
                                  jump, EnvState::Get(env)->closing()));
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("reader", reader),
      Field("bytes", Number(env, jump.end - jump.place.offset)),
  });
  return object;
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  EnvState* const env = EnvState::Get(info.Env());
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  holder->scan.Cancel();
  auto job = std::make_unique<CloseJob>(env);
  const Napi::Value promise = env->Begin(info.Env(), job.get(), Napi::Value());
  holder->scan.Close(job.release());
  return promise;
}

}  // namespace

void ExportIndex(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Open>(env, "indexOpen"),
      Export<Advance>(env, "indexAdvance"),
      Export<OpenReader>(env, "indexReader"),
      Export<Close>(env, "indexClose"),
  });
}

}  // namespace tfr::addon
