#include "addon/example/scattered_records.h"

#include <cstring>

#include "addon/base/properties.h"
#include "core/base/endian.h"
#include "core/crc32c/record_format.h"

namespace tfr::addon {
namespace {

constexpr const char* kWrong = "tfrecord: not records in slabs";

void Prefetch(const uint8_t* data, size_t length) {
#if defined(__GNUC__)
  constexpr size_t kLine = 64;
  constexpr size_t kMost = 512;
  for (size_t i = 0; i < length && i < kMost; i += kLine) {
    __builtin_prefetch(data + i);
  }
#else
  static_cast<void>(data);
  static_cast<void>(length);
#endif
}

/// Returns the end of the copy. An empty record may have no memory.
uint8_t* Copy(const uint8_t* data, size_t length, uint8_t* to) {
  if (length > 0) std::memcpy(to, data, length);
  return to + length;
}

void Gather(const Napi::CallbackInfo& info) {
  const ScatteredRecords records(info, 0);
  const ByteSpan to = GetSharedBytes(info[3]);
  if (to.size < records.bytes()) {
    throw Napi::RangeError::New(info.Env(), kWrong);
  }
  records.CopyTo(to.data);
}

void Frame(const Napi::CallbackInfo& info) {
  const ScatteredRecords records(info, 0);
  const ByteSpan to = GetBytes(info[3]);
  const int64_t at = info[4].As<Napi::Number>().Int64Value();
  const uint64_t size = records.bytes() + kFramingSize * records.size();
  if (at < 0 || static_cast<uint64_t>(at) > to.size ||
      size > to.size - static_cast<uint64_t>(at)) {
    throw Napi::RangeError::New(info.Env(), kWrong);
  }
  records.FrameTo(to.data + at);
}

}  // namespace

ScatteredRecords::ScatteredRecords(const Napi::CallbackInfo& info, size_t at) {
  const auto list = info[at].As<Napi::Array>();
  slabs_.resize(list.Length());
  for (uint32_t i = 0; i < slabs_.size(); ++i) {
    bool own = false;
    slabs_[i] = GetSharedBytes(list[i], &own);
    own_ &= own;
  }
  const ArrayMemory numbers = GetArray(info[at + 1], napi_uint32_array, kWrong);
  records_ = static_cast<const Record*>(numbers.data);
  size_ = info[at + 2].As<Napi::Number>().Uint32Value();
  if (size_ > numbers.length / 3) {
    throw Napi::RangeError::New(info.Env(), kWrong);
  }
  for (size_t i = 0; i < size_; ++i) {
    const auto [slab, offset, length] = records_[i];
    if (slab >= slabs_.size() ||
        uint64_t{offset} + length > slabs_[slab].size) {
      throw Napi::RangeError::New(info.Env(), kWrong);
    }
    bytes_ += length;
  }
}

template <class Take>
void ScatteredRecords::ForEach(Take take) const {
  constexpr size_t kAhead = 8;
  for (size_t i = 0; i < size_; ++i) {
    if (i + kAhead < size_) {
      const auto [slab, offset, length] = records_[i + kAhead];
      Prefetch(slabs_[slab].data + offset, length);
    }
    const auto [slab, offset, length] = records_[i];
    take(slabs_[slab].data + offset, length);
  }
}

void ScatteredRecords::CopyTo(uint8_t* to) const {
  ForEach([&to](const uint8_t* data, size_t length) {
    to = Copy(data, length, to);
  });
}

void ScatteredRecords::FrameTo(uint8_t* to) const {
  ForEach([&to](const uint8_t* data, size_t length) {
    StoreLE64(to, length);
    to = Copy(data, length, to + kHeaderSize) + kFooterSize;
  });
}

void ExportGather(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Gather>(env, "gather"),
      Export<Frame>(env, "frame"),
  });
}

}  // namespace tfr::addon
