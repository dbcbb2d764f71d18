#include <cstring>
#include <memory>
#include <utility>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/reading.h"
#include "core/base/memory.h"
#include "core/io/fed_source.h"
#include "core/io/file_source.h"
#include "core/record/reader_spec.h"

namespace tfr::addon {
namespace {

/// The object behind a reader's handle.
struct Reader {
  static constexpr napi_type_tag kTag = {0x7f0e5a5d6a1b4c01,
                                         0x9c1d2e3f40516273};

  /// The handle was collected, so no more requests can come.
  void Abandon() const { slabs->Cancel(); }

  const std::shared_ptr<SlabReader> slabs;
  const Fed fed;
};

/// `SlabFill` of lib/native/binding.ts.
Napi::Value FillValue(Napi::Env env, const SlabFill& fill) {
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

class FillJob final : public Job, public SlabReader::Request {
 public:
  FillJob(EnvState* env, ByteSpan slab)
      : Request(slab.data, slab.size), env_(env) {}

  void Completed() override { env_->Done(this); }
  Napi::Value Finish(Napi::Env env) override { return FillValue(env, fill); }

 private:
  EnvState* const env_;
};

Napi::Value Open(const Napi::CallbackInfo& info,
                 std::unique_ptr<ByteSource> source, const Fed& fed,
                 const ReaderSpec& spec) {
  NeedThreads(info.Env());
  return ReaderValue(info.Env(),
                     NewSlabReader(std::move(source), spec,
                                   EnvState::Get(info.Env())->closing()),
                     fed);
}

Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  const ReaderSpec spec = DecodeSpec(info[1]);
  return Open(info,
              NewFileSource(info[0].As<Napi::String>().Utf8Value(),
                            spec.start.position()),
              {}, spec);
}

Napi::Value OpenFed(const Napi::CallbackInfo& info) {
  auto source = std::make_unique<FedSource>();
  FedSource* const fed = source.get();
  return Open(info, std::move(source), {fed, nullptr}, DecodeSpec(info[0]));
}

Napi::Value OpenRanges(const Napi::CallbackInfo& info) {
  const ReaderSpec spec = DecodeSpec(info[0]);
  auto source = NewRangeSource(info[1], info[2], spec);
  RangeSource* const ranges = source.get();
  return Open(info, std::move(source), {nullptr, ranges}, spec);
}

void FeedBytes(const Napi::CallbackInfo& info) {
  Feed(info, GetHandle<Reader>(info[0])->fed.stream);
}

void FeedRangeOf(const Napi::CallbackInfo& info) {
  FeedRange(info, GetHandle<Reader>(info[0])->fed.ranges);
}

void EndAt(const Napi::CallbackInfo& info) {
  EndRanges(info, GetHandle<Reader>(info[0])->fed.ranges);
}

Napi::Value Wants(const Napi::CallbackInfo& info) {
  return WantsValue(info, GetHandle<Reader>(info[0])->fed.ranges);
}

ByteSpan SlabAt(const Napi::CallbackInfo& info, size_t at) {
  const ByteSpan slab = GetBytes(info[at]);
  if (slab.size < SlabStream::kLeastSlab || slab.size > 0xffffffffu) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: slab size");
  }
  return slab;
}

Napi::Value FillSlab(const Napi::CallbackInfo& info) {
  EnvState* const env = EnvState::Get(info.Env());
  const auto reader = GetHandle<Reader>(info[0]);
  const ByteSpan slab = SlabAt(info, 1);
  ExpectWrites(slab.data, slab.size);
  auto job = std::make_unique<FillJob>(env, slab);
  const Napi::Value promise = env->Begin(info.Env(), job.get(), info[1]);
  reader->slabs->Fill(job.release());
  return promise;
}

Napi::Value FillSync(const Napi::CallbackInfo& info) {
  const auto reader = GetHandle<Reader>(info[0]);
  const ByteSpan slab = SlabAt(info, 1);
  ExpectWrites(slab.data, slab.size);
  SlabFill fill;
  if (!reader->slabs->FillNow(slab.data, slab.size, &fill)) {
    throw Napi::Error::New(info.Env(), "tfrecord: fills are pending");
  }
  return FillValue(info.Env(), fill);
}

void Skip(const Napi::CallbackInfo& info) {
  GetHandle<Reader>(info[0])->slabs->Skip();
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  EnvState* const env = EnvState::Get(info.Env());
  const auto reader = GetHandle<Reader>(info[0]);
  reader->slabs->Cancel();
  auto job = std::make_unique<CloseJob>(env);
  const Napi::Value promise = env->Begin(info.Env(), job.get(), Napi::Value());
  reader->slabs->Close(job.release());
  return promise;
}

}  // namespace

Napi::Value ReaderValue(Napi::Env env, std::shared_ptr<SlabReader> slabs,
                        const Fed& fed) {
  return NewHandle(env,
                   std::make_shared<Reader>(Reader{std::move(slabs), fed}));
}

void ExportReader(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<OpenFile>(env, "readerOpenFile"),
      Export<OpenFed>(env, "readerOpenFed"),
      Export<OpenRanges>(env, "readerOpenRanges"),
      Export<FeedBytes>(env, "readerFeed"),
      Export<FeedRangeOf>(env, "readerFeedRange"),
      Export<EndAt>(env, "readerEndAt"),
      Export<Wants>(env, "readerWants"),
      Export<FillSlab>(env, "readerFill"),
      Export<FillSync>(env, "readerFillSync"),
      Export<Skip>(env, "readerSkip"),
      Export<Close>(env, "readerClose"),
  });
}

}  // namespace tfr::addon
