#include "addon/reading.h"

#include <cerrno>
#include <iterator>

#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/index_holder.h"

namespace tfr::addon {
namespace {

uint64_t PlaceOf(const Napi::Value& value) {
  return static_cast<uint64_t>(value.As<Napi::Number>().Int64Value());
}

void NeedRanges(const Napi::CallbackInfo& info, const RangeSource* source) {
  if (source != nullptr) return;
  throw Napi::TypeError::New(info.Env(), "tfrecord: not fed by ranges");
}

double NumberIn(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::Number>().DoubleValue();
}

double FlagIn(const Napi::Object& object, const char* name) {
  return object.Get(name).ToBoolean().Value() ? 1 : 0;
}

}  // namespace

ReaderSpec DecodeSpec(const Napi::Value& given) {
  const auto object = given.As<Napi::Object>();
  ReaderSpecNumbers numbers;
  numbers.compression = NumberIn(object, "compression");
  numbers.verify = NumberIn(object, "verify");
  numbers.max_record_bytes = NumberIn(object, "maxRecordBytes");
  numbers.continues = FlagIn(object, "continues");
  numbers.counts_lost = FlagIn(object, "countsLost");
  numbers.salvages = FlagIn(object, "salvages");
  numbers.members_ahead = FlagIn(object, "membersAhead");
  const Napi::Value start = object.Get("start");
  if (!start.IsUndefined()) {
    numbers.start_record = NumberIn(start.As<Napi::Object>(), "record");
    numbers.start_offset = NumberIn(start.As<Napi::Object>(), "offset");
    numbers.start_checked = FlagIn(start.As<Napi::Object>(), "checked");
  }
  const Napi::Value framing = object.Get("framing");
  if (!framing.IsUndefined()) {
    const auto given_numbers = framing.As<Napi::Array>();
    const uint32_t count = given_numbers.Length();
    for (uint32_t i = 0; i < count && i < std::size(numbers.framing); ++i) {
      numbers.framing[i] =
          given_numbers.Get(i).As<Napi::Number>().DoubleValue();
    }
  }
  const Napi::Value index = object.Get("index");
  ReaderSpec spec;
  if (!Decode(numbers, &spec)) {
    throw Napi::RangeError::New(given.Env(), "tfrecord: not a reader's spec");
  }
  if (!start.IsUndefined()) {
    const Napi::Value from = start.As<Napi::Object>().Get("from");
    if (!from.IsUndefined()) {
      spec.start.from = GetHandle<CheckpointHolder>(from)->checkpoint;
    }
  }
  const Napi::Value checkpoints = object.Get("checkpoints");
  if (!checkpoints.IsUndefined()) {
    spec.checkpoints = GetHandle<IndexHolder>(checkpoints)->file.index();
  }
  if (!index.IsUndefined()) {
    spec.index = GetHandle<IndexHolder>(index)->file.Noting(spec);
  }
  return spec;
}

std::unique_ptr<RangeSource> NewRangeSource(const Napi::Value& size,
                                            const Napi::Value& most_ahead,
                                            const ReaderSpec& spec) {
  return std::make_unique<RangeSource>(
      size.IsUndefined() ? kUnknown : PlaceOf(size), spec.start.position(),
      PlaceOf(most_ahead));
}

void FeedRange(const Napi::CallbackInfo& info, RangeSource* source) {
  NeedRanges(info, source);
  const ByteSpan bytes = GetSharedBytes(info[2]);
  if (!source->Feed(PlaceOf(info[1]), bytes.data, bytes.size)) {
    throw SystemError(info.Env(), ENOMEM, "malloc");
  }
}

void EndRanges(const Napi::CallbackInfo& info, RangeSource* source) {
  NeedRanges(info, source);
  source->EndAt(PlaceOf(info[1]));
}

Napi::Value WantsValue(const Napi::CallbackInfo& info,
                       const RangeSource* source) {
  NeedRanges(info, source);
  ByteRange ranges[RangeSource::kMostWants];
  const size_t count = source->Wants(ranges, std::size(ranges));
  Napi::Float64Array value = Napi::Float64Array::New(info.Env(), 2 * count);
  for (size_t i = 0; i < count; ++i) {
    value[2 * i] = static_cast<double>(ranges[i].position);
    value[2 * i + 1] = static_cast<double>(ranges[i].size);
  }
  return value;
}

void Feed(const Napi::CallbackInfo& info, FedSource* source) {
  const ByteSpan chunk = GetSharedBytes(info[1]);
  if (source == nullptr ||
      !source->Feed(chunk.data, chunk.size, info[2].ToBoolean())) {
    throw SystemError(info.Env(), ENOMEM, "malloc");
  }
}

}  // namespace tfr::addon
