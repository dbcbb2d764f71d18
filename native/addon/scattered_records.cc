#include "addon/scattered_records.h"

#include <cstring>

#include "addon/properties.h"

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

void Gather(const Napi::CallbackInfo& info) {
  const ScatteredRecords records(info, 0);
  const ByteSpan to = GetSharedBytes(info[3]);
  if (to.size < records.bytes()) {
    throw Napi::RangeError::New(info.Env(), kWrong);
  }
  records.CopyTo(to.data);
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

void ScatteredRecords::CopyTo(uint8_t* to) const {
  constexpr size_t kAhead = 8;
  for (size_t i = 0; i < size_; ++i) {
    if (i + kAhead < size_) {
      const auto [slab, offset, length] = records_[i + kAhead];
      Prefetch(slabs_[slab].data + offset, length);
    }
    const auto [slab, offset, length] = records_[i];
    if (length == 0) continue;
    std::memcpy(to, slabs_[slab].data + offset, length);
    to += length;
  }
}

void ExportGather(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({Export<Gather>(env, "gather")});
}

}  // namespace tfr::addon
