#ifndef TFR_CORE_EXAMPLE_DECODE_BYTES_PLACES_H_
#define TFR_CORE_EXAMPLE_DECODE_BYTES_PLACES_H_

#include "core/example/parse/feature_values.h"

namespace tfr {

/// Like BytesValues, but stores positions instead of copying the values.
class BytesPlaces {
 public:
  static constexpr Kind kKind = Kind::kBytes;
  static constexpr uint32_t kTag = LengthTag(1);

  BytesPlaces(const uint8_t* record, TypedBuffer<uint32_t>* places)
      : record_(record), places_(*places) {}

  size_t Size() const { return places_.size() / 2; }
  void Truncate(size_t size) { places_.Truncate(size * 2); }

  Taken Packed(Span value, const uint8_t* /*limit*/) {
    uint32_t* const room = places_.Room(2);
    if (room == nullptr) return Taken::kNoMemory;
    room[0] = static_cast<uint32_t>(value.data - record_);
    room[1] = static_cast<uint32_t>(value.size);
    places_.Add(2);
    return Taken::kValues;
  }

  Taken Field(uint32_t tag, WireReader* reader, const uint8_t* limit) {
    return TakeBytesField(tag, reader, limit, this);
  }

 private:
  const uint8_t* const record_;
  TypedBuffer<uint32_t>& places_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_DECODE_BYTES_PLACES_H_
