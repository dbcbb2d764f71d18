#include "addon/reading.h"

#include <cerrno>
#include <iterator>

#include "addon/errors.h"
#include "addon/handle.h"

namespace tfr::addon {
namespace {

double NumberIn(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::Number>().DoubleValue();
}

double FlagIn(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::Boolean>().Value() ? 1 : 0;
}

}  // namespace

ReaderSpec DecodeSpec(const Napi::Value& given) {
  const auto object = given.As<Napi::Object>();
  ReaderSpecNumbers numbers;
  numbers.compression = NumberIn(object, "compression");
  numbers.verify = NumberIn(object, "verify");
  numbers.max_record_bytes = NumberIn(object, "maxRecordBytes");
  numbers.goes_on = FlagIn(object, "goesOn");
  numbers.counts_lost = FlagIn(object, "countsLost");
  numbers.members_ahead = FlagIn(object, "membersAhead");
  const Napi::Value start = object.Get("start");
  if (!start.IsUndefined()) {
    numbers.start_record = NumberIn(start.As<Napi::Object>(), "record");
    numbers.start_offset = NumberIn(start.As<Napi::Object>(), "offset");
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
  ReaderSpec spec;
  if (!Decode(numbers, &spec)) {
    throw Napi::RangeError::New(given.Env(), "tfrecord: not a reader's spec");
  }
  return spec;
}

void Feed(const Napi::CallbackInfo& info, FedSource* source) {
  const ByteSpan chunk = GetSharedBytes(info[1]);
  if (source == nullptr ||
      !source->Feed(chunk.data, chunk.size, info[2].ToBoolean())) {
    throw SystemError(info.Env(), ENOMEM, "malloc");
  }
}

}  // namespace tfr::addon
