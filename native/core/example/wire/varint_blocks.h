#ifndef TFR_CORE_EXAMPLE_WIRE_VARINT_BLOCKS_H_
#define TFR_CORE_EXAMPLE_WIRE_VARINT_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/example/wire/wire_writer.h"

/// Sequences of varints, measured and written in blocks: the widest value of a
/// block decides how all of it is handled, so no branch depends on a single
/// value.
namespace tfr {

inline constexpr size_t kVarintBlock = 32;

/// Upper limit of the bits in a block's values.
enum class VarintWidth : uint8_t { k7Bits, k14Bits, k28Bits, k56Bits, k64Bits };

inline VarintWidth WidthOf(const uint64_t* values, size_t count) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; ++i) bits |= values[i];
  if (bits >> 28 != 0) {
    return bits >> 56 == 0 ? VarintWidth::k56Bits : VarintWidth::k64Bits;
  }
  if (bits >> 14 != 0) return VarintWidth::k28Bits;
  return bits >> 7 == 0 ? VarintWidth::k7Bits : VarintWidth::k14Bits;
}

/// For a value of at most 7 x `bytes` bits: 1 if it needs more than 7 x
/// `shorter` bits, else 0. Uses only sums and shifts, so that compilers can
/// vectorize it.
template <unsigned bytes>
uint64_t IsLonger(uint64_t value, unsigned shorter) {
  constexpr unsigned kBits = 7 * bytes;
  return (value + ((uint64_t{1} << kBits) - (uint64_t{1} << (7 * shorter)))) >>
         kBits;
}

inline uint64_t BlockSize(const uint64_t* values, size_t count) {
  uint64_t size = count;
  switch (WidthOf(values, count)) {
    case VarintWidth::k7Bits:
      return size;
    case VarintWidth::k14Bits:
      for (size_t i = 0; i < count; ++i) size += IsLonger<2>(values[i], 1);
      return size;
    case VarintWidth::k28Bits:
      for (size_t i = 0; i < count; ++i) {
        size += IsLonger<4>(values[i], 1) + IsLonger<4>(values[i], 2) +
                IsLonger<4>(values[i], 3);
      }
      return size;
    default:
      size = 0;
      for (size_t i = 0; i < count; ++i) size += VarintSize(values[i]);
      return size;
  }
}

/// Total size of `count` varints.
inline uint64_t VarintsSize(const uint64_t* values, size_t count) {
  if (count == 1) return VarintSize(*values);
  uint64_t size = 0;
  for (size_t i = 0; i < count; i += kVarintBlock) {
    size += BlockSize(values + i, std::min(kVarintBlock, count - i));
  }
  return size;
}

/// `p` has room for `count` varints of the maximum size.
inline uint8_t* WriteBlock(const uint64_t* values, size_t count, uint8_t* p) {
  switch (WidthOf(values, count)) {
    case VarintWidth::k7Bits:
      for (size_t i = 0; i < count; ++i) p[i] = static_cast<uint8_t>(values[i]);
      return p + count;
    case VarintWidth::k14Bits:
      for (size_t i = 0; i < count; ++i) p = WriteVarint14(p, values[i]);
      return p;
    case VarintWidth::k28Bits:
      for (size_t i = 0; i < count; ++i) p = WriteVarint28(p, values[i]);
      return p;
    case VarintWidth::k56Bits:
      for (size_t i = 0; i < count; ++i) p = WriteVarint56(p, values[i]);
      return p;
    default:
      for (size_t i = 0; i < count; ++i) p = WriteVarint64(p, values[i]);
      return p;
  }
}

/// Writes `count` varints and returns the position after them. May also write
/// past them, up to `limit`.
inline uint8_t* WriteVarints(const uint64_t* values, size_t count, uint8_t* p,
                             const uint8_t* limit) {
  if (count == 1) return WriteVarint(p, limit, *values);
  for (size_t i = 0; i < count; i += kVarintBlock) {
    const size_t size = std::min(kVarintBlock, count - i);
    if (static_cast<size_t>(limit - p) >= kMaxVarintBytes * size) {
      p = WriteBlock(values + i, size, p);
      continue;
    }
    for (size_t k = i; k < i + size; ++k) p = WriteVarint(p, limit, values[k]);
  }
  return p;
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_WIRE_VARINT_BLOCKS_H_
