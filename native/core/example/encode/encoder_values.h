#ifndef TFR_CORE_EXAMPLE_ENCODE_ENCODER_VALUES_H_
#define TFR_CORE_EXAMPLE_ENCODE_ENCODER_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/endian.h"
#include "core/example/encode/encoder_column.h"
#include "core/example/wire/varint_blocks.h"
#include "core/example/wire/wire.h"
#include "core/example/wire/wire_writer.h"

/// Writers for the values of each kind, as the content of a list: packed
/// numbers, which are one field of it, or the fields of a list of bytes.
/// encoder_sizes.h computes its size.
namespace tfr {

/// Size of the list message: numbers are one field of it, unless there are
/// none.
inline uint64_t ListSize(Kind kind, uint64_t content) {
  return kind == Kind::kBytes || content == 0 ? content : FieldSize(content);
}

inline constexpr auto kValuesTag = static_cast<uint8_t>(LengthTag(1));

struct EncodedInts {
  static uint8_t* Write(const EncoderColumn& column, Range range, uint8_t* p,
                        const uint8_t* limit) {
    const auto* const values = static_cast<const uint64_t*>(column.values);
    return WriteVarints(values + range.begin, range.end - range.begin, p,
                        limit);
  }

  /// The same for content of `size` bytes. May touch eight bytes at `p`.
  static uint8_t* WriteShort(const EncoderColumn& column, Range range,
                             uint64_t size, uint8_t* p, const uint8_t* limit) {
    if (range.end - range.begin > 1 || size > 8) {
      return Write(column, range, p, limit);
    }
    const auto* const values = static_cast<const uint64_t*>(column.values);
    return WriteVarintOf(p, values[range.begin], static_cast<unsigned>(size));
  }
};

struct EncodedFloats {
  static uint8_t* Write(const EncoderColumn& column, Range range, uint8_t* p) {
    const auto* const bits = static_cast<const uint32_t*>(column.values);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = range.begin; i < range.end; ++i, p += 4) {
      StoreLE32(p, bits[i]);
    }
    return p;
#else
    if (range.end - range.begin == 1) {
      std::memcpy(p, bits + range.begin, 4);
      return p + 4;
    }
    const size_t size = 4 * (range.end - range.begin);
    std::memcpy(p, bits + range.begin, size);
    return p + size;
#endif
  }

  /// The same. May touch 32 bytes at `p`.
  static uint8_t* WriteShort(const EncoderColumn& column, Range range,
                             uint8_t* p) {
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    constexpr size_t kMove = 8;
    const size_t count = range.end - range.begin;
    if (count <= kMove && column.size - range.begin >= kMove) {
      const auto* const floats = static_cast<const float*>(column.values);
      std::memcpy(p, floats + range.begin, kMove * sizeof(float));
      return p + count * sizeof(float);
    }
#endif
    return Write(column, range, p);
  }
};

struct EncodedBytes {
  static uint8_t* Write(const EncoderColumn& column, Range range, uint8_t* p,
                        const uint8_t* limit) {
    const auto* const data = static_cast<const uint8_t*>(column.values);
    for (size_t i = range.begin; i < range.end; ++i) {
      const auto begin = static_cast<size_t>(column.offsets[i]);
      const auto size = static_cast<size_t>(column.offsets[i + 1]) - begin;
      p = WriteHead(p, limit, kValuesTag, size);
      p = tfr::WriteShort(p, limit, data + begin, size,
                          column.data_size - begin);
    }
    return p;
  }

  /// Writes the bytes of value `i`. May touch 32 bytes at `p`.
  static uint8_t* WriteShort(const EncoderColumn& column, size_t i,
                             uint8_t* p) {
    constexpr size_t kMove = 32;
    const auto begin = static_cast<size_t>(column.offsets[i]);
    const auto size = static_cast<size_t>(column.offsets[i + 1]) - begin;
    const auto* const from = static_cast<const uint8_t*>(column.values) + begin;
    if (size <= kMove && column.data_size - begin >= kMove) {
      std::memcpy(p, from, kMove);
    } else if (size > 0) {
      std::memcpy(p, from, size);
    }
    return p + size;
  }
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_ENCODER_VALUES_H_
