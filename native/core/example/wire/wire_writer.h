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

/// Size of a varint: a seventh of its bits, rounded up, without a division.
inline unsigned VarintSize(uint64_t value) {
  return (HighestBit(value | 1) * 9 + 73) >> 6;
}

/// `VarintSize` of a length: most are short, so a branch predicts well.
inline unsigned LengthSize(uint64_t size) {
  return size < 0x80 ? 1 : VarintSize(size);
}

/// Size of a field with a one-byte tag and `size` bytes of content.
inline uint64_t FieldSize(uint64_t size) { return 1 + LengthSize(size) + size; }

inline constexpr size_t kMaxVarintBytes = 10;

/// Writes a varint of at most 14 bits; may touch two bytes.
inline uint8_t* WriteVarint14(uint8_t* p, uint64_t value) {
  const uint64_t longer = (value + 0x3f80) >> 14;
  StoreLE16(p, static_cast<uint16_t>((value & 0x7f) | (value & 0x3f80) << 1 |
                                     longer << 7));
  return p + 1 + longer;
}

/// Writes a varint of at most 28 bits; may touch four bytes.
inline uint8_t* WriteVarint28(uint8_t* p, uint64_t value) {
  // Spreads 4 x 7 bits to 4 x 8, then sets the continuation bits.
  auto bits = static_cast<uint32_t>(value);
  bits = (bits & 0x00003fff) | (bits & 0x0fffc000) << 2;
  bits = (bits & 0x007f007f) | (bits & 0x3f803f80) << 1;
  const unsigned size = VarintSize(value);
  StoreLE32(p, bits | 0x00808080 >> (8 * (4 - size)));
  return p + size;
}

/// Spreads 8 x 7 bits to 8 x 8.
inline uint64_t SpreadBits(uint64_t bits) {
  bits = (bits & 0x000000000fffffff) | (bits & 0x00fffffff0000000) << 4;
  bits = (bits & 0x00003fff00003fff) | (bits & 0x0fffc0000fffc000) << 2;
  return (bits & 0x007f007f007f007f) | (bits & 0x3f803f803f803f80) << 1;
}

/// Writes a varint of `size` (at most 8) bytes; may touch eight bytes.
inline uint8_t* WriteVarintOf(uint8_t* p, uint64_t value, unsigned size) {
  StoreLE64(p, SpreadBits(value) | 0x0080808080808080 >> (8 * (8 - size)));
  return p + size;
}

/// Writes a varint of at most 56 bits; may touch eight bytes.
inline uint8_t* WriteVarint56(uint8_t* p, uint64_t value) {
  return WriteVarintOf(p, value, VarintSize(value));
}

/// Writes any varint; may touch ten bytes.
inline uint8_t* WriteVarint64(uint8_t* p, uint64_t value) {
  const unsigned size = VarintSize(value);
  const uint64_t longer =
      size > 8 ? 0x8080808080808080 : 0x0080808080808080 >> (8 * (8 - size));
  StoreLE64(p, SpreadBits(value) | longer);
  StoreLE16(p + 8, static_cast<uint16_t>((value >> 56 & 0x7f) |
                                         (value >> 63) * 0x180));
  return p + size;
}

/// Writes a varint, usually longer than one byte, and returns the position
/// after it. May also write past it, up to `limit`.
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

/// Writes a one-byte tag and the length after it.
inline uint8_t* WriteHead(uint8_t* p, const uint8_t* limit, uint8_t tag,
                          uint64_t size) {
  *p = tag;
  return WriteVarint(p + 1, limit, size);
}

/// Copies `size` bytes, usually few: a move of constant size is faster than a
/// call. `from` has `readable` bytes; may also write past the copy, up to
/// `limit`.
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
