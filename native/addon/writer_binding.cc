#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "core/io/file_sink.h"
#include "core/io/memory_sink.h"
#include "core/write/slab_encoder.h"
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

Napi::Value CopyOf(Napi::Env env, const ByteBuffer& buffer) {
  Napi::Uint8Array bytes = Napi::Uint8Array::New(env, buffer.size());
  std::memcpy(bytes.Data(), buffer.data(), buffer.size());
  return bytes;
}

/// Settles one promise with a `WriteResult` of lib/native/binding.ts.
class WriteJob final : public Job, public SlabWriter::Call {
 public:
  WriteJob(EnvState* env, MemorySink* memory) : env_(env), memory_(memory) {}

  /// Returns `slab` with a copy of its bytes, which lives as long as the job.
  /// Throws Napi::Error if memory runs out.
  Slab Copied(Napi::Env env, const Slab& slab) {
    if (!copy_.Assign(slab.data, slab.size)) {
      throw SystemError(env, ENOMEM, "malloc");
    }
    return {copy_.data(), slab.size, slab.records, slab.summed};
  }

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
        Field("crc32c", outcome_.crc32c
                            ? Napi::Number::New(env, *outcome_.crc32c)
                            : env.Undefined()),
    });
    return result;
  }

 private:
  Napi::Value OutputValue(Napi::Env env) const {
    return output_ ? CopyOf(env, *output_) : env.Undefined();
  }

  EnvState* const env_;
  MemorySink* const memory_;
  ByteBuffer copy_;
  WriteOutcome outcome_;
  std::unique_ptr<ByteBuffer> output_;
};

/// Begins a job for `writer`; `call` submits it.
template <typename Call>
Napi::Value Run(Napi::Env env, Writer& writer, Call call) {
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<WriteJob>(state, writer.memory());
  const Napi::Value promise = state->Begin(env, job.get(), {});
  call(job.release());
  return promise;
}

Compression CompressionOf(Napi::Env env, uint32_t number) {
  if (number > static_cast<uint32_t>(Compression::kZlib)) {
    throw Napi::RangeError::New(env, "tfrecord: compression");
  }
  return static_cast<Compression>(number);
}

std::unique_ptr<SlabEncoder> NewEncoder(Napi::Env env, Napi::Value compression,
                                        Napi::Value level) {
  const uint32_t given = level.As<Napi::Number>().Uint32Value();
  if (given > 9) throw Napi::RangeError::New(env, "tfrecord: level");
  auto encoder = NewSlabEncoder(
      CompressionOf(env, compression.As<Napi::Number>().Uint32Value()),
      static_cast<int>(given));
  if (!encoder) throw SystemError(env, ENOMEM, "malloc");
  return encoder;
}

Napi::Value Open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  const uint32_t threads = info[4].As<Napi::Number>().Uint32Value();
  if (threads < 1 || threads > kMaxThreads) {
    throw Napi::RangeError::New(env, "tfrecord: option out of range");
  }
  auto encoder = NewEncoder(env, info[1], info[2]);
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
  if (info[5].ToBoolean()) slabs->SumOutput();
  return NewHandle(env, std::make_shared<Writer>(std::move(slabs), memory));
}

Napi::Value Start(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  const auto before =
      static_cast<uint64_t>(info[1].As<Napi::Number>().Int64Value());
  return Run(info.Env(), *writer, [&](SlabWriter::Call* call) {
    writer->slabs().Start(call, before);
  });
}

Slab SlabOf(Napi::Env env, Napi::Value bytes, int64_t used, uint32_t records) {
  const ByteSpan span = GetBytes(bytes);
  if (used <= 0 || static_cast<uint64_t>(used) > span.size) {
    throw Napi::RangeError::New(env, "tfrecord: slab size");
  }
  return {span.data, static_cast<size_t>(used), records};
}

Napi::Value Push(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  const Napi::Env env = info.Env();
  Slab given = SlabOf(env, info[1], info[2].As<Napi::Number>().Int64Value(),
                      info[3].As<Napi::Number>().Uint32Value());
  const bool copies = info[4].ToBoolean();
  given.summed = info[5].ToBoolean();
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<WriteJob>(state, writer->memory());
  const Slab slab = copies ? job->Copied(env, given) : given;
  const Napi::Value kept = copies ? Napi::Value() : info[1];
  const Napi::Value promise = state->Begin(env, job.get(), kept);
  writer->slabs().Push(slab, job.release());
  return promise;
}

Napi::Value Flush(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  const bool sync = info[1].ToBoolean();
  return Run(info.Env(), *writer, [&](SlabWriter::Call* call) {
    writer->slabs().Flush(sync, call);
  });
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  return Run(info.Env(), *writer,
             [&](SlabWriter::Call* call) { writer->slabs().Close(call); });
}

Napi::Value Abort(const Napi::CallbackInfo& info) {
  const auto writer = GetHandle<Writer>(info[0]);
  // First, so that it takes effect even if there is no memory for a promise.
  writer->slabs().token().Cancel();
  return Run(info.Env(), *writer,
             [&](SlabWriter::Call* call) { writer->slabs().Abort(call); });
}

Napi::Value Encode(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto list = info[0].As<Napi::Array>();
  const ArrayMemory counts =
      GetArray(info[1], napi_uint32_array, "tfrecord: counts of records");
  const auto* const records = static_cast<const uint32_t*>(counts.data);
  if (counts.length < list.Length()) {
    throw Napi::RangeError::New(env, "tfrecord: counts of records");
  }
  std::vector<Slab> slabs;
  slabs.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Value slab = list[i];
    const size_t size = GetBytes(slab).size;
    slabs.push_back(SlabOf(env, slab, static_cast<int64_t>(size), records[i]));
  }
  const auto encoder = NewEncoder(env, info[2], info[3]);
  MemorySink sink;
  const Fault fault = EncodeSlabs(encoder.get(), slabs, &sink);
  // The sink is memory: nothing but memory can fail.
  if (fault) throw SystemError(env, ENOMEM, "malloc");
  const auto output = sink.Take();
  return output ? CopyOf(env, *output) : Napi::Uint8Array::New(env, 0);
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
      Export<Encode>(env, "encodeSlabs"),
  });
}

}  // namespace tfr::addon
