#include "addon/reader_binding.h"

#include <memory>
#include <string>
#include <utility>

#include "addon/fill_value.h"
#include "addon/handle.h"
#include "addon/properties.h"
#include "addon/read_arguments.h"
#include "addon/reader.h"
#include "core/io/file_source.h"

namespace tfr::addon {
namespace {

uint64_t CountAt(const Napi::CallbackInfo& info, size_t at) {
  return static_cast<uint64_t>(info[at].As<Napi::Number>().Int64Value());
}

Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  NeedThreads(info.Env());
  std::string path = info[0].As<Napi::String>().Utf8Value();
  RecordStreamOptions options = ReadOptionsAt(info, 1);
  options.first_offset = CountAt(info, 4);
  options.first_record = CountAt(info, 5);
  options.goes_on = info[6].ToBoolean();
  options.counts_lost = info[7].ToBoolean();
  if (!info[8].ToBoolean()) options.ahead.most_content = 0;
  return NewHandle(info.Env(),
                   std::make_shared<Reader>(
                       EnvState::Get(info.Env()),
                       NewFileSource(std::move(path), options.first_offset),
                       nullptr, options));
}

Napi::Value OpenFed(const Napi::CallbackInfo& info) {
  NeedThreads(info.Env());
  auto source = std::make_unique<FedSource>();
  FedSource* const fed = source.get();
  RecordStreamOptions options = ReadOptionsAt(info, 0);
  options.goes_on = info[3].ToBoolean();
  options.counts_lost = info[4].ToBoolean();
  return NewHandle(info.Env(),
                   std::make_shared<Reader>(EnvState::Get(info.Env()),
                                            std::move(source), fed, options));
}

void FeedBytes(const Napi::CallbackInfo& info) {
  const auto reader = GetHandle<Reader>(info[0]);
  const ByteSpan chunk = GetSharedBytes(info[1]);
  if (!reader->Feed(chunk.data, chunk.size, info[2].ToBoolean())) {
    throw SystemError(info.Env(), ENOMEM, "malloc");
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
