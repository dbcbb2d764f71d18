#include "addon/reading.h"

#include <cerrno>

#include "addon/errors.h"
#include "addon/handle.h"

namespace tfr::addon {

ReadOptions ReadOptionsAt(const Napi::CallbackInfo& info, size_t at) {
  ReadOptions options;
  const uint32_t compression = info[at].As<Napi::Number>().Uint32Value();
  const uint32_t verify = info[at + 1].As<Napi::Number>().Uint32Value();
  if (compression > static_cast<uint32_t>(Compression::kAuto) ||
      verify > static_cast<uint32_t>(Verify::kUnread)) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: option out of range");
  }
  options.compression = static_cast<Compression>(compression);
  options.verify = static_cast<Verify>(verify);
  // Offsets in a slab have 32 bits.
  const double limit = info[at + 2].As<Napi::Number>().DoubleValue();
  if (!(limit >= 0 && limit <= 0xffffffffu - 16.0)) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: limit out of range");
  }
  options.max_record_bytes = static_cast<uint64_t>(limit);
  return options;
}

void Feed(const Napi::CallbackInfo& info, FedSource* source) {
  const ByteSpan chunk = GetSharedBytes(info[1]);
  if (source == nullptr ||
      !source->Feed(chunk.data, chunk.size, info[2].ToBoolean())) {
    throw SystemError(info.Env(), ENOMEM, "malloc");
  }
}

}  // namespace tfr::addon
