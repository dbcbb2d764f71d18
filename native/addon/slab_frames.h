#ifndef TFR_ADDON_SLAB_FRAMES_H_
#define TFR_ADDON_SLAB_FRAMES_H_

#include "addon/base/handle.h"
#include "addon/base/napi_setup.h"
#include "core/record/slab_fill.h"

namespace tfr::addon {

/// Returns the frames from `begin` on of `value`, a Uint32Array of pairs;
/// throws if one before `end` is not within `slab`.
inline const Frame* FramesOf(const Napi::Value& value, ByteSpan slab,
                             size_t begin, size_t end) {
  const Napi::Env env = value.Env();
  constexpr const char* kWrong = "tfrecord: not the frames of a slab";
  const ArrayMemory pairs = GetArray(value, napi_uint32_array, kWrong);
  if (begin > end || end > pairs.length / 2) {
    throw Napi::TypeError::New(env, kWrong);
  }
  const auto* const frames = static_cast<const Frame*>(pairs.data);
  for (size_t i = begin; i < end; ++i) {
    if (uint64_t{frames[i].offset} + frames[i].length > slab.size) {
      throw Napi::RangeError::New(env, "tfrecord: a frame beyond its slab");
    }
  }
  return frames + begin;
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_SLAB_FRAMES_H_
