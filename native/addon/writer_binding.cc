#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "addon/bindings.h"
#include "addon/env_state.h"
#include "addon/errors.h"
#include "addon/handle.h"
#include "addon/properties.h"
#include "core/io/file_sink.h"
#include "core/io/memory_sink.h"
#include "core/write/slab_writer.h"

namespace tfr::addon {
namespace {

constexpr uint32_t kMaxThreads = 1024;

/// The object behind a WriterHandle.
class Writer {
 public:
  static constexpr napi_type_tag kTag = {0x7f0e5a5d6a1b4c02,
                                         0x9c1d2e3f40516274};

  Writer(std::shared_ptr<SlabWriter> slabs, MemorySink* memory)
      : slabs_(std::move(slabs)), memory_(memory) {}

  SlabWriter& slabs() { return *slabs_; }
  /// The sink if JavaScript delivers the output; else null.
  MemorySink* memory() { return memory_; }
  /// The handle was collected, so the writer cannot be closed: cancels pending
  /// work, after which the sink abandons its file.
  void Abandon() { slabs_->token().Cancel(); }

 private:
  const std::shared_ptr<SlabWriter> slabs_;
  MemorySink* const memory_;
};

/// Settles one promise with a `WriteResult` of lib/native/binding.ts.
class WriteJob final : public Job, public SlabWriter::Call {
 public:
  WriteJob(EnvState* env, MemorySink* memory) : env_(env), memory_(memory) {}

  void Done(const WriteOutcome& outcome) noexcept override {
    outcome_ = outcome;
    if (memory_ != nullptr) output_ = memory_->Take();
    env_->Done(this);
  }

  Napi::Value Finish(Napi::Env env) override {
    Napi::Object result = Napi::Object::New(env);
    const auto file_bytes = static_cast<double>(outcome_.file_bytes);
    result.DefineProperties({
        Field("fault", FaultValue(env, outcome_.fault)),
        Field("fileBytes", Napi::Number::New(env, file_bytes)),
        Field("output", OutputValue(env)),
        Field("replacedOther",
              Napi::Boolean::New(env, outcome_.replaced_other)),
    });
    return result;
  }

 private:
  Napi::Value OutputValue(Napi::Env env) const {
    if (!output_) return env.Undefined();
    Napi::Uint8Array bytes = Napi::Uint8Array::New(env, output_->size());
    std::memcpy(bytes.Data(), output_->data(), output_->size());
    return bytes;
  }

  EnvState* const env_;
  MemorySink* const memory_;
  WriteOutcome outcome_;
  std::unique_ptr<ByteBuffer> output_;
};

/// Begins a job for `writer`; `call` submits it.
template <typename Call>
Napi::Value Run(Napi::Env env, Writer& writer, Napi::Value kept, Call call) {
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<WriteJob>(state, writer.memory());
  const Napi::Value promise = state->Begin(env, job.get(), kept);
  call(job.release());
  return promise;
}

Compression CompressionOf(Napi::Env env, uint32_t number) {
  if (number > static_cast<uint32_t>(Compression::kZlib)) {
    throw Napi::RangeError::New(env, "tfrecord: compression");
  }
  return static_cast<Compression>(number);
}

Napi::Value Open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  const uint32_t level = info[2].As<Napi::Number>().Uint32Value();
  const uint32_t threads = info[4].As<Napi::Number>().Uint32Value();
  if (level > 9 || threads < 1 || threads > kMaxThreads) {
    throw Napi::RangeError::New(env, "tfrecord: option out of range");
  }
  auto encoder = NewSlabEncoder(
      CompressionOf(env, info[1].As<Napi::Number>().Uint32Value()),
      static_cast<int>(level));
  if (!encoder) throw SystemError(env, ENOMEM, "malloc");
  MemorySink* memory = nullptr;
  std::unique_ptr<ByteSink> sink;
  if (info[0].IsString()) {
    sink = NewFileSink(info[0].As<Napi::String>().Utf8Value(),
                       info[3].ToBoolean());
  } else {
    memory = new MemorySink;
    sink.reset(memory);
  }
  auto slabs = std::make_shared<SlabWriter>(std::move(encoder), std::move(sink),
                                            static_cast<int>(threads),
                                            EnvState::Get(env)->closing());
  return NewHandle(env, std::make_shared<Writer>(std::move(slabs), memory));
}

Napi::Value Start(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  return Run(info.Env(), *writer, {},
             [&](SlabWriter::Call* call) { writer->slabs().Start(call); });
}

Napi::Value Push(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  const ByteSpan bytes = GetBytes(info[1]);
  Slab slab;
  slab.data = bytes.data;
  slab.size = static_cast<size_t>(info[2].As<Napi::Number>().Int64Value());
  slab.records = info[3].As<Napi::Number>().Uint32Value();
  if (slab.size > bytes.size || slab.size == 0) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: slab size");
  }
  return Run(info.Env(), *writer, info[1],
             [&](SlabWriter::Call* call) { writer->slabs().Push(slab, call); });
}

Napi::Value Flush(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  const bool sync = info[1].ToBoolean();
  return Run(info.Env(), *writer, {}, [&](SlabWriter::Call* call) {
    writer->slabs().Flush(sync, call);
  });
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  return Run(info.Env(), *writer, {},
             [&](SlabWriter::Call* call) { writer->slabs().Close(call); });
}

Napi::Value Abort(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  // First, so that it takes effect even if there is no memory for a promise.
  writer->slabs().token().Cancel();
  return Run(info.Env(), *writer, {},
             [&](SlabWriter::Call* call) { writer->slabs().Abort(call); });
}

}  // namespace

void ExportWriter(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Open>(env, "writerOpen"),
      Export<Start>(env, "writerStart"),
      Export<Push>(env, "writerPush"),
      Export<Flush>(env, "writerFlush"),
      Export<Close>(env, "writerClose"),
      Export<Abort>(env, "writerAbort"),
  });
}

}  // namespace tfr::addon
