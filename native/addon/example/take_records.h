#ifndef TFR_ADDON_EXAMPLE_TAKE_RECORDS_H_
#define TFR_ADDON_EXAMPLE_TAKE_RECORDS_H_

#include <cstring>

#include "addon/base/handle.h"
#include "addon/base/napi_setup.h"
#include "core/record/slab_fill.h"

namespace tfr::addon {

/// Copies what `encoder` made of rows to arrays: the records, their frames, and
/// the states of the rows. Returns the number of records.
template <class Encoder>
Napi::Value TakeRecords(const Encoder& encoder, const Napi::Value& to_slab,
                        const Napi::Value& to_frames,
                        const Napi::Value& to_states) {
  const Napi::Env env = to_slab.Env();
  const ByteSpan slab = GetBytes(to_slab);
  const ArrayMemory frames =
      GetArray(to_frames, napi_uint32_array, "tfrecord: not the array of rows");
  const ByteSpan states = GetBytes(to_states);
  const size_t records = encoder.frames().size();
  const size_t rows = encoder.states().size();
  if (slab.size < encoder.data().size() || frames.length / 2 < records ||
      states.size < rows) {
    throw Napi::RangeError::New(env, "tfrecord: too little room for rows");
  }
  if (records > 0) {
    std::memcpy(slab.data, encoder.data().data(), encoder.data().size());
    std::memcpy(frames.data, encoder.frames().data(), records * sizeof(Frame));
  }
  if (rows > 0) std::memcpy(states.data, encoder.states().data(), rows);
  return Napi::Number::New(env, static_cast<double>(records));
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_EXAMPLE_TAKE_RECORDS_H_
