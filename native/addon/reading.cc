#include "addon/reading.h"

#include <cerrno>
#include <iterator>

#include "addon/errors.h"
#include "addon/handle.h"

namespace tfr::addon {
namespace {

/// Returns a number; 0 or 1 for a flag.
double NumberIn(const Napi::Object& object, const char* name) {
  return object.Get(name).ToNumber().DoubleValue();
}

}  // namespace

ReaderSpec DecodeSpec(const Napi::Value& given) {
  const auto object = given.As<Napi::Object>();
  const auto start = object.Get("start").As<Napi::Object>();
  const auto framing = object.Get("framing").As<Napi::Array>();
  ReaderSpecNumbers numbers;
  numbers.compression = NumberIn(object, "compression");
  numbers.verify = NumberIn(object, "verify");
  numbers.max_record_bytes = NumberIn(object, "maxRecordBytes");
  numbers.goes_on = NumberIn(object, "goesOn");
  numbers.counts_lost = NumberIn(object, "countsLost");
  numbers.members_ahead = NumberIn(object, "membersAhead");
  numbers.start_record = NumberIn(start, "record");
  numbers.start_offset = NumberIn(start, "offset");
  const uint32_t count = framing.Length();
  for (uint32_t i = 0; i < count && i < std::size(numbers.framing); ++i) {
    numbers.framing[i] = framing.Get(i).ToNumber().DoubleValue();
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
