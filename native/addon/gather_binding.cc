#include "addon/gather_binding.h"

#include <cstring>
#include <vector>

#include "addon/handle.h"
#include "addon/properties.h"

namespace tfr::addon {
namespace {

constexpr const char* kWrong = "tfrecord: not places in slabs";

/// A record: the number of its slab, and the payload there.
struct Place {
  uint32_t slab;
  uint32_t offset;
  uint32_t length;
};

std::vector<ByteSpan> SlabsOf(const Napi::Array& list) {
  std::vector<ByteSpan> slabs(list.Length());
  for (uint32_t i = 0; i < slabs.size(); ++i) slabs[i] = GetBytes(list[i]);
  return slabs;
}

void Prefetch(const std::vector<ByteSpan>& slabs, const Place& place) {
#if defined(__GNUC__)
  if (place.slab < slabs.size() && place.offset < slabs[place.slab].size) {
    __builtin_prefetch(slabs[place.slab].data + place.offset);
  }
#endif
}

void Gather(const Napi::CallbackInfo& info) {
  const std::vector<ByteSpan> slabs = SlabsOf(info[0].As<Napi::Array>());
  const ArrayMemory triples = GetArray(info[1], napi_uint32_array, kWrong);
  const ByteSpan into = GetBytes(info[2]);
  const auto* const places = static_cast<const Place*>(triples.data);
  const size_t count = triples.length / 3;
  constexpr size_t kAhead = 8;
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) Prefetch(slabs, places[i + kAhead]);
    const auto [slab, offset, length] = places[i];
    if (slab >= slabs.size() || uint64_t{offset} + length > slabs[slab].size ||
        length > into.size - used) {
      throw Napi::RangeError::New(info.Env(), kWrong);
    }
    if (length > 0) {
      std::memcpy(into.data + used, slabs[slab].data + offset, length);
    }
    used += length;
  }
}

}  // namespace

void ExportGather(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({Export<Gather>(env, "gather")});
}

}  // namespace tfr::addon
