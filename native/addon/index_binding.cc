#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "addon/bindings.h"
#include "addon/env_state.h"
#include "addon/errors.h"
#include "addon/handle.h"
#include "addon/index_holder.h"
#include "addon/properties.h"
#include "addon/reading.h"
#include "core/index/file_index.h"

namespace tfr::addon {
namespace {

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

  /// `IndexProgress` of lib/native/binding-index.ts.
  Napi::Value Finish(Napi::Env env) override {
    holder_->busy = false;
    const ScanState& state = holder_->file.scan()->state();
    const TypedBuffer<Fault> found = holder_->file.scan()->TakeFaults();
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
        Field("heldBytes", Number(env, holder_->file.index()->held_bytes())),
    });
    return object;
  }

 private:
  EnvState* const env_;
  const Holder holder_;
};

Holder NewIndex(const Napi::Value& path, const Napi::Value& spec,
                const IndexLimits& limits = {}) {
  return std::make_shared<IndexHolder>(path.As<Napi::String>().Utf8Value(),
                                       DecodeSpec(spec), limits);
}

Napi::Value Open(const Napi::CallbackInfo& info) {
  NeedThreads(info.Env());
  Holder holder = NewIndex(info[0], info[1]);
  holder->file.Scan(EnvState::Get(info.Env())->closing());
  return NewHandle(info.Env(), std::move(holder));
}

uint64_t CountAt(const Napi::CallbackInfo& info, size_t at) {
  return static_cast<uint64_t>(info[at].As<Napi::Number>().Int64Value());
}

Napi::Value New(const Napi::CallbackInfo& info) {
  IndexLimits limits;
  limits.compressed_only = true;
  limits.checkpoint_bytes = CountAt(info, 2);
  limits.most_checkpoint_memory = CountAt(info, 3);
  return NewHandle(info.Env(), NewIndex(info[0], info[1], limits));
}

/// `LoadedIndex` of lib/native/binding-index.ts.
Napi::Value Load(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Holder holder = NewIndex(info[0], info[1]);
  const ByteSpan bytes = GetSharedBytes(info[2]);
  const IndexStatus status = holder->file.Load(bytes.data, bytes.size);
  const IndexSummary summary = holder->file.summary();
  const uint64_t records = holder->file.index()->records();
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("status", Napi::Number::New(env, static_cast<double>(status))),
      Field("handle", NewHandle(env, std::move(holder))),
      Field("records", Number(env, records)),
      Field("damaged", Number(env, summary.damaged)),
      Field("cut", Napi::Boolean::New(env, summary.cut)),
      Field("compression", Napi::String::New(env, NameOf(summary.compression))),
      Field("verified",
            Napi::Number::New(env, static_cast<double>(summary.verified))),
      Field("size", Number(env, summary.file.size)),
      Field("headCrc", Napi::Number::New(env, summary.file.head_crc)),
      Field("tailCrc", Napi::Number::New(env, summary.file.tail_crc)),
      Field("time", Napi::BigInt::New(env, summary.file.time)),
  });
  return object;
}

/// Returns undefined if there is nothing to save yet.
Napi::Value Save(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  if (holder->busy) {
    throw Napi::Error::New(env, "tfrecord: the scan is at work");
  }
  bool exact = false;
  const IndexedFile file = {CountAt(info, 1),
                            info[2].As<Napi::Number>().Uint32Value(),
                            info[3].As<Napi::Number>().Uint32Value(),
                            info[4].As<Napi::BigInt>().Int64Value(&exact)};
  ByteBuffer saved;
  if (!holder->file.Save(file, &saved)) return env.Undefined();
  auto bytes = Napi::Uint8Array::New(env, saved.size());
  std::memcpy(bytes.Data(), saved.data(), saved.size());
  return bytes;
}

/// `ReadStart` of lib/native/binding.ts.
Napi::Object StartValue(Napi::Env env, ReadStart start) {
  const uint64_t position = start.position();
  Napi::Value from = env.Undefined();
  if (start.from) {
    auto held = std::make_shared<CheckpointHolder>();
    held->checkpoint = std::move(start.from);
    from = NewHandle(env, std::move(held));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("record", Number(env, start.record)),
      Field("offset", Number(env, start.offset)),
      Field("checked", Napi::Boolean::New(env, start.checked)),
      Field("from", from),
      Field("position", Number(env, position)),
  });
  return object;
}

Napi::Value Start(const Napi::CallbackInfo& info) {
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  ReadStart start;
  if (!holder->file.index()->FindStart(CountAt(info, 1), &start)) {
    return info.Env().Undefined();
  }
  return StartValue(info.Env(), std::move(start));
}

/// `IndexJump` of lib/native/binding-index.ts.
Napi::Value FindJump(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  RecordIndex::Jump jump;
  if (!holder->file.index()->Find(CountAt(info, 1), CountAt(info, 2), &jump)) {
    return env.Undefined();
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("start", StartValue(env, jump.start())),
      Field("bytes", Number(env, jump.end - jump.place.offset)),
  });
  return object;
}

Napi::Value Advance(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  if (holder->busy || holder->file.scan() == nullptr) {
    throw Napi::Error::New(env, "tfrecord: no scan, or it is at work");
  }
  const std::chrono::milliseconds time(
      info[1].As<Napi::Number>().Uint32Value());
  auto job = std::make_unique<AdvanceJob>(EnvState::Get(env), holder);
  const Napi::Value promise =
      EnvState::Get(env)->Begin(env, job.get(), Napi::Value());
  holder->file.scan()->Advance(time, job.release());
  return promise;
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  EnvState* const env = EnvState::Get(info.Env());
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  IndexScan* const scan = holder->file.scan();
  if (scan == nullptr) throw Napi::Error::New(info.Env(), "tfrecord: no scan");
  scan->Cancel();
  auto job = std::make_unique<CloseJob>(env);
  const Napi::Value promise = env->Begin(info.Env(), job.get(), Napi::Value());
  scan->Close(job.release());
  return promise;
}

}  // namespace

void ExportIndex(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Open>(env, "indexOpen"),
      Export<New>(env, "indexNew"),
      Export<Load>(env, "indexLoad"),
      Export<Save>(env, "indexSave"),
      Export<Start>(env, "indexStart"),
      Export<Advance>(env, "indexAdvance"),
      Export<FindJump>(env, "indexJump"),
      Export<Close>(env, "indexClose"),
  });
}

}  // namespace tfr::addon
