#ifndef TFR_CORE_EXAMPLE_WIRE_WIRE_WRITER_H_
#define TFR_CORE_EXAMPLE_WIRE_WIRE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/endian.h"

namespace tfr {

/// Position of the highest set bit of `value`, which is not 0.
inline unsigned HighestBit(uint64_t value) {
#if defined(__GNUC__) || defined(__clang__)
  return 63 - static_cast<unsigned>(__builtin_clzll(value));
#else
  unsigned bit = 0;
  while (value >>= 1) ++bit;
  return bit;
#endif
}

/// Bytes of a varint: a seventh of its bits, rounded up, without a division.
inline unsigned VarintSize(uint64_t value) {
  return (HighestBit(value | 1) * 9 + 73) >> 6;
}

/// The same of a length: as a rule it is short, which a branch foretells.
inline unsigned LengthSize(uint64_t size) {
  return size < 0x80 ? 1 : VarintSize(size);
}

/// Bytes of a field with a tag of one byte and a content of `size` bytes.
inline uint64_t FieldSize(uint64_t size) { return 1 + LengthSize(size) + size; }

inline constexpr size_t kMaxVarintBytes = 10;

/// A varint of at most 14 bits; two bytes are written to.
inline uint8_t* WriteVarint14(uint8_t* p, uint64_t value) {
  const uint64_t longer = (value + 0x3f80) >> 14;
  StoreLE16(p, static_cast<uint16_t>((value & 0x7f) | (value & 0x3f80) << 1 |
                                     longer << 7));
  return p + 1 + longer;
}

/// A varint of at most 28 bits; four bytes are written to.
inline uint8_t* WriteVarint28(uint8_t* p, uint64_t value) {
  // 4 x 7 bits become 4 x 8; then all but the last byte are continued.
  auto bits = static_cast<uint32_t>(value);
  bits = (bits & 0x00003fff) | (bits & 0x0fffc000) << 2;
  bits = (bits & 0x007f007f) | (bits & 0x3f803f80) << 1;
  const unsigned size = VarintSize(value);
  StoreLE32(p, bits | 0x00808080 >> (8 * (4 - size)));
  return p + size;
}

/// 8 x 7 bits become 8 x 8.
inline uint64_t SpreadBits(uint64_t bits) {
  bits = (bits & 0x000000000fffffff) | (bits & 0x00fffffff0000000) << 4;
  bits = (bits & 0x00003fff00003fff) | (bits & 0x0fffc0000fffc000) << 2;
  return (bits & 0x007f007f007f007f) | (bits & 0x3f803f803f803f80) << 1;
}

/// A varint that takes `size` bytes, at most 8; eight are written to.
inline uint8_t* WriteVarintOf(uint8_t* p, uint64_t value, unsigned size) {
  StoreLE64(p, SpreadBits(value) | 0x0080808080808080 >> (8 * (8 - size)));
  return p + size;
}

/// A varint of at most 56 bits; eight bytes are written to.
inline uint8_t* WriteVarint56(uint8_t* p, uint64_t value) {
  return WriteVarintOf(p, value, VarintSize(value));
}

/// Any varint; ten bytes are written to.
inline uint8_t* WriteVarint64(uint8_t* p, uint64_t value) {
  const unsigned size = VarintSize(value);
  const uint64_t longer =
      size > 8 ? 0x8080808080808080 : 0x0080808080808080 >> (8 * (8 - size));
  StoreLE64(p, SpreadBits(value) | longer);
  StoreLE16(p + 8, static_cast<uint16_t>((value >> 56 & 0x7f) |
                                         (value >> 63) * 0x180));
  return p + size;
}

/// Writes a varint, which is longer than a byte as a rule, and returns what is
/// behind it. What lies behind it, up to `limit`, may be written to as well.
inline uint8_t* WriteLongVarint(uint8_t* p, const uint8_t* limit,
                                uint64_t value) {
  if (value >> 56 == 0 && limit - p >= 8) return WriteVarint56(p, value);
  for (; value >= 0x80; value >>= 7) *p++ = static_cast<uint8_t>(value | 0x80);
  *p++ = static_cast<uint8_t>(value);
  return p;
}

inline uint8_t* WriteVarint(uint8_t* p, const uint8_t* limit, uint64_t value) {
  if (value >= 0x80) return WriteLongVarint(p, limit, value);
  *p = static_cast<uint8_t>(value);
  return p + 1;
}

/// Writes a tag of one byte and the length that follows it.
inline uint8_t* WriteHead(uint8_t* p, const uint8_t* limit, uint8_t tag,
                          uint64_t size) {
  *p = tag;
  return WriteVarint(p + 1, limit, size);
}

/// Copies `size` bytes, of which there are few as a rule: a move of a known
/// size is faster than a call. From `from` on `readable` bytes may be read, and
/// up to `limit` what lies behind the copy may be written to.
inline uint8_t* WriteShort(uint8_t* p, const uint8_t* limit,
                           const uint8_t* from, size_t size, size_t readable) {
  constexpr size_t kMove = 16;
  if (size <= kMove && readable >= kMove &&
      static_cast<size_t>(limit - p) >= kMove) {
    std::memcpy(p, from, kMove);
  } else if (size > 0) {
    std::memcpy(p, from, size);
  }
  return p + size;
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_WIRE_WIRE_WRITER_H_
