#ifndef TFR_CORE_EXAMPLE_PARSE_FEATURE_VALUES_H_
#define TFR_CORE_EXAMPLE_PARSE_FEATURE_VALUES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/example/parse/column_data.h"
#include "core/example/wire/varints.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Result of taking the values of one list or one Feature.
enum class Taken : uint8_t { kValues, kMalformed, kTooLarge, kNoMemory };

inline constexpr size_t kMaxColumnSize = 0x7fffffff;

/// Classes that append the values of lists of one kind to a column. They share
/// an interface; `limit` bounds the memory that may be read.
///
/// - `kKind`, `kTag`: the kind, and the tag of its list in `Feature`.
/// - `Packed`: takes one packed chunk (for bytes: one value), or nothing.
/// - `Field`: takes one field of the list. After a malformed field, the caller
///   must drop the values before it.
/// - `Size`, `Truncate`: the number of values.
class IntValues {
 public:
  static constexpr Kind kKind = Kind::kInt64;
  static constexpr uint32_t kTag = LengthTag(3);

  explicit IntValues(ColumnData* column) : values_(column->ints) {}

  size_t Size() const { return values_.size(); }
  void Truncate(size_t size) { values_.Truncate(size); }

  Taken Packed(Span chunk, const uint8_t* limit) {
    const size_t before = values_.size();
    while (chunk.size > 0) {
      const Span stretch = StretchOf(chunk);
      const Taken taken = TakeStretch(stretch, limit);
      if (taken != Taken::kValues) {
        values_.Truncate(before);
        return taken;
      }
      chunk = {stretch.end(), chunk.size - stretch.size};
    }
    return Taken::kValues;
  }

  Taken Field(uint32_t tag, WireReader* reader, const uint8_t* limit) {
    constexpr uint32_t kUnpacked = VarintTag(1);
    if (tag == LengthTag(1)) {
      Span chunk;
      return reader->Bytes(&chunk) ? Packed(chunk, limit) : Taken::kMalformed;
    }
    if (tag != kUnpacked) {
      return reader->Skip(tag) ? Taken::kValues : Taken::kMalformed;
    }
    uint64_t value;
    if (!reader->Varint(&value)) return Taken::kMalformed;
    if (values_.size() == kMaxColumnSize) return Taken::kTooLarge;
    return values_.Push(static_cast<int64_t>(value)) ? Taken::kValues
                                                     : Taken::kNoMemory;
  }

 private:
  /// A long list is decoded in stretches of this many bytes. Each byte reserves
  /// room for a value: that wastes some kB, but counting the values would cost
  /// another pass.
  static constexpr size_t kStretch = 4096;

  /// Whole varints from the start of `chunk`; a malformed one at the end may be
  /// cut.
  static Span StretchOf(Span chunk) {
    if (chunk.size <= kStretch) return chunk;
    size_t size = kStretch;
    while (size > kStretch - kLongestVarint && chunk.data[size - 1] >= 0x80) {
      --size;
    }
    return {chunk.data, size};
  }

  Taken TakeStretch(Span stretch, const uint8_t* limit) {
    size_t most = stretch.size;
    const size_t left = kMaxColumnSize - values_.size();
    if (most > left) {
      most = CountVarints(stretch);
      if (most > left) return Taken::kTooLarge;
    }
    int64_t* const room = values_.Room(most);
    if (room == nullptr) return Taken::kNoMemory;
    const int64_t* const to = ReadVarints(stretch, limit, room);
    if (to == nullptr) return Taken::kMalformed;
    values_.Add(static_cast<size_t>(to - room));
    return Taken::kValues;
  }

  TypedBuffer<int64_t>& values_;
};

class FloatValues {
 public:
  static constexpr Kind kKind = Kind::kFloat;
  static constexpr uint32_t kTag = LengthTag(2);

  explicit FloatValues(ColumnData* column) : values_(column->floats) {}

  size_t Size() const { return values_.size(); }
  void Truncate(size_t size) { values_.Truncate(size); }

  Taken Packed(Span chunk, const uint8_t* limit) {
    constexpr size_t kMove = kMostReadAhead / sizeof(float);
    if (chunk.size == 0) return Taken::kValues;
    const size_t count = chunk.size / sizeof(float);
    if (chunk.size % sizeof(float) != 0) return Taken::kMalformed;
    if (count > kMaxColumnSize - values_.size()) return Taken::kTooLarge;
    float* const room = values_.Room(std::max(count, kMove));
    if (room == nullptr) return Taken::kNoMemory;
    // For few values, a move of constant size beats a call.
    if (count <= kMove && MayRead(chunk.data, kMostReadAhead, limit)) {
      Copy(chunk.data, kMove, room);
    } else {
      Copy(chunk.data, count, room);
    }
    values_.Add(count);
    return Taken::kValues;
  }

  Taken Field(uint32_t tag, WireReader* reader, const uint8_t* limit) {
    constexpr uint32_t kUnpacked = Fixed32Tag(1);
    if (tag == LengthTag(1)) {
      Span chunk;
      return reader->Bytes(&chunk) ? Packed(chunk, limit) : Taken::kMalformed;
    }
    const uint8_t* const value = reader->position();
    if (!reader->Skip(tag)) return Taken::kMalformed;
    return tag == kUnpacked ? Packed({value, sizeof(float)}, limit)
                            : Taken::kValues;
  }

 private:
  /// Copies bits, to preserve NaN payloads.
  static void Copy(const uint8_t* from, size_t count, float* to) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; ++i) {
      const uint32_t bits = LoadLE32(from + sizeof(float) * i);
      std::memcpy(to + i, &bits, sizeof(bits));
    }
#else
    std::memcpy(to, from, count * sizeof(float));
#endif
  }

  TypedBuffer<float>& values_;
};

/// Takes one field of a BytesList: passes a value to `values->Packed`, skips an
/// unknown field.
template <class Values>
Taken TakeBytesField(uint32_t tag, WireReader* reader, const uint8_t* limit,
                     Values* values) {
  if (tag != LengthTag(1)) {
    return reader->Skip(tag) ? Taken::kValues : Taken::kMalformed;
  }
  Span value;
  return reader->Bytes(&value) ? values->Packed(value, limit)
                               : Taken::kMalformed;
}

class BytesValues {
 public:
  static constexpr Kind kKind = Kind::kBytes;
  static constexpr uint32_t kTag = LengthTag(1);

  explicit BytesValues(ColumnData* column) : column_(*column) {}

  size_t Size() const { return column_.offsets.size() - 1; }
  void Truncate(size_t size) {
    column_.bytes.Truncate(static_cast<size_t>(column_.offsets.data()[size]));
    column_.offsets.Truncate(size + 1);
  }

  Taken Packed(Span value, const uint8_t* limit) {
    const size_t before = column_.bytes.size();
    if (value.size > kMaxColumnSize - before || Size() == kMaxColumnSize - 1) {
      return Taken::kTooLarge;
    }
    int32_t* const offset = column_.offsets.Room(1);
    if (offset == nullptr || !column_.bytes.Append(value, limit)) {
      return Taken::kNoMemory;
    }
    *offset = static_cast<int32_t>(before + value.size);
    column_.offsets.Add(1);
    return Taken::kValues;
  }

  Taken Field(uint32_t tag, WireReader* reader, const uint8_t* limit) {
    return TakeBytesField(tag, reader, limit, this);
  }

 private:
  ColumnData& column_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_FEATURE_VALUES_H_
