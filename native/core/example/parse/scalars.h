#ifndef TFR_CORE_EXAMPLE_PARSE_SCALARS_H_
#define TFR_CORE_EXAMPLE_PARSE_SCALARS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/endian.h"
#include "core/example/parse/feature_values.h"
#include "core/example/parse/feature_walk.h"

namespace tfr {

/// Take the values of features with one value each, in the form that writers
/// produce. Return how many they took: they stop at the first of another form,
/// or when memory runs out. May read memory up to `limit`.
inline size_t TakeScalarInts(const Span* features, size_t count,
                             const uint8_t* limit, ColumnData* column) {
  TypedBuffer<int64_t>& ints = column->ints;
  if (count > kMaxColumnSize - ints.size()) return 0;
  int64_t* const room = ints.Room(count);
  size_t taken = 0;
  for (; room != nullptr && taken < count; ++taken) {
    Span part;
    uint64_t value;
    if (!OnlyPart(IntValues::kTag, features[taken], &part) || part.size == 0 ||
        ReadVarint(part.data, part.end(), limit, &value) != part.end()) {
      break;
    }
    room[taken] = static_cast<int64_t>(value);
  }
  ints.Add(taken);
  return taken;
}

inline size_t TakeScalarFloats(const Span* features, size_t count,
                               ColumnData* column) {
  constexpr uint32_t kHead = FloatValues::kTag | 6 << 8 | LengthTag(1) << 16 |
                             uint32_t{sizeof(float)} << 24;
  TypedBuffer<float>& floats = column->floats;
  if (count > kMaxColumnSize - floats.size()) return 0;
  float* const room = floats.Room(count);
  size_t taken = 0;
  for (; room != nullptr && taken < count; ++taken) {
    const Span feature = features[taken];
    if (feature.size != 4 + sizeof(float) || LoadLE32(feature.data) != kHead) {
      break;
    }
    const uint32_t bits = LoadLE32(feature.data + 4);
    std::memcpy(room + taken, &bits, sizeof(bits));
  }
  floats.Add(taken);
  return taken;
}

inline size_t TakeScalarBytes(const Span* features, size_t count,
                              const uint8_t* limit, ColumnData* column) {
  BytesValues values(column);
  size_t taken = 0;
  for (; taken < count; ++taken) {
    Span part;
    if (!OnlyPart(BytesValues::kTag, features[taken], &part) ||
        values.Packed(part, limit) != Taken::kValues) {
      break;
    }
  }
  return taken;
}

/// Dispatches by the kind of `Values`.
template <class Values>
size_t TakeScalars(const Span* features, size_t count, const uint8_t* limit,
                   ColumnData* column) {
  switch (Values::kKind) {
    case Kind::kFloat:
      return TakeScalarFloats(features, count, column);
    case Kind::kInt64:
      return TakeScalarInts(features, count, limit, column);
    default:
      return TakeScalarBytes(features, count, limit, column);
  }
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_SCALARS_H_
