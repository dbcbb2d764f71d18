#include "addon/reader_binding.h"

#include <memory>
#include <string>
#include <utility>

#include "addon/handle.h"
#include "addon/properties.h"
#include "addon/reader.h"
#include "core/io/file_source.h"

namespace tfr::addon {
namespace {

RecordStreamOptions OptionsAt(const Napi::CallbackInfo& info, size_t at) {
  RecordStreamOptions options;
  const uint32_t compression = info[at].As<Napi::Number>().Uint32Value();
  const uint32_t verify = info[at + 1].As<Napi::Number>().Uint32Value();
  if (compression > static_cast<uint32_t>(CompressionOption::kZlib) ||
      verify > static_cast<uint32_t>(Verify::kNone)) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: option out of range");
  }
  options.compression = static_cast<CompressionOption>(compression);
  options.verify = static_cast<Verify>(verify);
  // Offsets in a slab are 32 bits.
  const double limit = info[at + 2].As<Napi::Number>().DoubleValue();
  if (!(limit >= 0 && limit <= 0xffffffffu - 16.0)) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: limit out of range");
  }
  options.max_record_bytes = static_cast<uint64_t>(limit);
  return options;
}

Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  NeedThreads(info.Env());
  std::string path = info[0].As<Napi::String>().Utf8Value();
  return NewHandle(info.Env(),
                   std::make_shared<Reader>(EnvState::Get(info.Env()),
                                            NewFileSource(std::move(path)),
                                            nullptr, OptionsAt(info, 1)));
}

Napi::Value OpenFed(const Napi::CallbackInfo& info) {
  NeedThreads(info.Env());
  auto source = std::make_unique<FedSource>();
  FedSource* const fed = source.get();
  return NewHandle(info.Env(), std::make_shared<Reader>(
                                   EnvState::Get(info.Env()), std::move(source),
                                   fed, OptionsAt(info, 0)));
}

void FeedBytes(const Napi::CallbackInfo& info) {
  const auto reader = GetHandle<Reader>(info[0]);
  const ByteSpan chunk = GetBytes(info[1]);
  if (!reader->Feed(chunk.data, chunk.size, info[2].ToBoolean())) {
    throw Napi::Error::New(info.Env(), "tfrecord: out of memory for a chunk");
  }
}

ByteSpan SlabAt(const Napi::CallbackInfo& info, size_t at) {
  const ByteSpan slab = GetBytes(info[at]);
  if (slab.size < 64 || slab.size > 0xffffffffu) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: slab size");
  }
  return slab;
}

Napi::Value Start(const Napi::CallbackInfo& info,
                  const std::shared_ptr<Reader>& reader, ByteSpan slab,
                  Napi::Value kept) {
  auto work = std::make_unique<Reader::Work>(slab.data, slab.size);
  const Napi::Value promise =
      EnvState::Get(info.Env())->Begin(info.Env(), work.get(), kept);
  reader->Submit(work.release());
  return promise;
}

Napi::Value FillSlab(const Napi::CallbackInfo& info) {
  return Start(info, GetHandle<Reader>(info[0]), SlabAt(info, 1), info[1]);
}

Napi::Value FillSync(const Napi::CallbackInfo& info) {
  const auto reader = GetHandle<Reader>(info[0]);
  const ByteSpan slab = SlabAt(info, 1);
  Fill fill;
  if (!reader->FillNow(slab.data, slab.size, &fill)) {
    throw Napi::Error::New(info.Env(), "tfrecord: fills are pending");
  }
  return FillValue(info.Env(), fill);
}

void PassOver(const Napi::CallbackInfo& info) {
  GetHandle<Reader>(info[0])->PassOver();
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  const auto reader = GetHandle<Reader>(info[0]);
  reader->Cancel();
  return Start(info, reader, ByteSpan(), Napi::Value());
}

}  // namespace

void ExportReader(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<OpenFile>(env, "readerOpenFile"),
      Export<OpenFed>(env, "readerOpenFed"),
      Export<FeedBytes>(env, "readerFeed"),
      Export<FillSlab>(env, "readerFill"),
      Export<FillSync>(env, "readerFillSync"),
      Export<PassOver>(env, "readerPassOver"),
      Export<Close>(env, "readerClose"),
  });
}

}  // namespace tfr::addon
