#ifndef TFR_CORE_EXAMPLE_DECODE_ROW_TAKER_H_
#define TFR_CORE_EXAMPLE_DECODE_ROW_TAKER_H_

#include "core/example/decode/bytes_places.h"
#include "core/example/decode/decoded_record.h"
#include "core/example/parse/feature_walk.h"

namespace tfr {

/// Packed floats are left in the record if there are more than this: the caller
/// uses their bytes directly.
inline constexpr size_t kMaxTakenFloats = 1024;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr bool kFloatsLieReady = false;
#else
inline constexpr bool kFloatsLieReady = true;
#endif

/// Decodes one feature, or feature list, into its row.
class RowTaker {
 public:
  /// `depth` is the depth of the feature.
  RowTaker(Span record, Depth depth, DecodedRecord* decoded)
      : record_(record),
        depth_(depth),
        rows_(decoded->rows),
        idle_names_(decoded->idle_names),
        at_(decoded->rows.size()),
        ints_(&decoded->numbers),
        floats_(&decoded->numbers),
        bytes_(record.data, &decoded->places),
        first_int_(ints_.Size()),
        first_float_(floats_.Size()),
        first_bytes_(bytes_.Size()) {}

  /// Reserves the row, before the rows of its steps.
  bool Begin() { return rows_.Push({}); }

  /// Sets the name. Returns false when memory runs out.
  bool Name(Span name) {
    if (row_.name_size > 0) {
      uint32_t* const room = idle_names_.Room(2);
      if (room == nullptr) return false;
      room[0] = row_.name_offset;
      room[1] = row_.name_size;
      idle_names_.Add(2);
    }
    row_.name_offset = PlaceOf(name.data);
    row_.name_size = static_cast<uint32_t>(name.size);
    return true;
  }

  void AddStep() { ++row_.count; }

  /// Takes a piece of the message Feature; `only` if it is the only one.
  Taken Piece(Span feature, bool only) {
    if (only && LeaveFloats(feature)) return Taken::kValues;
    if (row_.kind == RowKind::kNone && feature.size > 0) {
      Span part;
      Taken taken = Taken::kMalformed;
      if (OnlyPart(IntValues::kTag, feature, &part)) {
        taken = Packed(part, &ints_);
      } else if (OnlyPart(FloatValues::kTag, feature, &part)) {
        taken = Packed(part, &floats_);
      } else if (OnlyPart(BytesPlaces::kTag, feature, &part)) {
        taken = Packed(part, &bytes_);
      }
      if (taken != Taken::kMalformed) return taken;
    }
    const uint8_t* broken;
    return WalkLists(feature, depth_, &broken, [&](Kind kind, Span list) {
      return List(kind, list, &broken);
    });
  }

  void EndFeature() {
    switch (row_.kind) {
      case RowKind::kBytes:
        End(bytes_.Size(), first_bytes_);
        break;
      case RowKind::kFloat:
        End(floats_.Size(), first_float_);
        break;
      case RowKind::kInt64:
        End(ints_.Size(), first_int_);
        break;
      default:
        rows_.data()[at_] = row_;
    }
  }

  void EndSteps() {
    row_.kind = RowKind::kSteps;
    rows_.data()[at_] = row_;
  }

 private:
  uint32_t PlaceOf(const uint8_t* byte) const {
    return static_cast<uint32_t>(byte - record_.data);
  }

  /// True if `message` is a single length-delimited field with the tag
  /// `wanted`.
  static bool OnlyField(uint32_t wanted, Span message, Span* content) {
    WireReader reader(message);
    uint32_t tag;
    return reader.Tag(&tag) && tag == wanted && reader.Bytes(content) &&
           reader.done();
  }

  bool LeaveFloats(Span feature) {
    Span list;
    Span part;
    if (!kFloatsLieReady || feature.size <= kMaxTakenFloats * sizeof(float) ||
        !OnlyField(FloatValues::kTag, feature, &list) ||
        !OnlyField(LengthTag(1), list, &part) ||
        part.size <= kMaxTakenFloats * sizeof(float) ||
        part.size % sizeof(float) != 0) {
      return false;
    }
    row_.kind = RowKind::kPacked;
    row_.count = static_cast<uint32_t>(part.size / sizeof(float));
    row_.first = PlaceOf(part.data);
    return true;
  }

  template <class Values>
  Taken Packed(Span part, Values* values) {
    row_.kind = static_cast<RowKind>(Values::kKind);
    return values->Packed(part, record_.end());
  }

  Taken List(Kind kind, Span list, const uint8_t** broken) {
    const auto now = static_cast<RowKind>(kind);
    if (now != row_.kind) {
      ints_.Truncate(first_int_);
      floats_.Truncate(first_float_);
      bytes_.Truncate(first_bytes_);
      row_.kind = now;
    }
    switch (kind) {
      case Kind::kFloat:
        return TakeFields(list, DepthWithin(depth_), record_.end(), &floats_,
                          broken);
      case Kind::kInt64:
        return TakeFields(list, DepthWithin(depth_), record_.end(), &ints_,
                          broken);
      default:
        return TakeFields(list, DepthWithin(depth_), record_.end(), &bytes_,
                          broken);
    }
  }

  void End(size_t size, size_t first) {
    row_.count = static_cast<uint32_t>(size - first);
    row_.first = static_cast<uint32_t>(first);
    rows_.data()[at_] = row_;
  }

  const Span record_;
  const Depth depth_;
  TypedBuffer<DecodedRow>& rows_;
  TypedBuffer<uint32_t>& idle_names_;
  const size_t at_;
  IntValues ints_;
  FloatValues floats_;
  BytesPlaces bytes_;
  const size_t first_int_;
  const size_t first_float_;
  const size_t first_bytes_;
  DecodedRow row_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_DECODE_ROW_TAKER_H_
