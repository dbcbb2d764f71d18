#ifndef TFR_CORE_EXAMPLE_VARINTS_H_
#define TFR_CORE_EXAMPLE_VARINTS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/example/wire.h"

namespace tfr {

/// Number of set bit 0x80 bytes' complement: how far the first byte below 0x80
/// is, of eight whose stop bits are in `stops` (not 0).
inline unsigned BytesToStop(uint64_t stops) {
#if defined(__GNUC__) || defined(__clang__)
  return (static_cast<unsigned>(__builtin_ctzll(stops)) >> 3) + 1;
#else
  unsigned count = 1;
  for (; (stops & 0x80) == 0; stops >>= 8) ++count;
  return count;
#endif
}

/// One varint of at least two bytes, at `p`; what is behind it, or nullptr when
/// it is malformed. Eight bytes from `p` on may be read up to `limit`.
inline const uint8_t* LongVarint(const uint8_t* p, const uint8_t* end,
                                 const uint8_t* limit, uint64_t* value) {
  constexpr uint64_t kStops = 0x8080808080808080;
  if (reinterpret_cast<uintptr_t>(p) + 8 <=
      reinterpret_cast<uintptr_t>(limit)) {
    const uint64_t word = LoadLE64(p);
    const uint64_t stops = ~word & kStops;
    if (stops != 0) {
      const unsigned size = BytesToStop(stops);
      if (size > static_cast<size_t>(end - p)) return nullptr;
      // Up to and with the byte that ends it; then 8 x 7 bits become 56.
      uint64_t bits = word & (stops ^ (stops - 1)) & ~kStops;
      bits = (bits & 0x007f007f007f007f) | (bits & 0x7f007f007f007f00) >> 1;
      bits = (bits & 0x00003fff00003fff) | (bits & 0x3fff00003fff0000) >> 2;
      bits = (bits & 0x000000000fffffff) | (bits & 0x0fffffff00000000) >> 4;
      *value = bits;
      return p + size;
    }
  }
  WireReader reader({p, static_cast<size_t>(end - p)});
  return reader.Varint(value) ? reader.position() : nullptr;
}

inline const uint8_t* ReadVarint(const uint8_t* p, const uint8_t* end,
                                 const uint8_t* limit, uint64_t* value) {
  if (*p < 0x80) {
    *value = *p;
    return p + 1;
  }
  return LongVarint(p, end, limit, value);
}

/// Number of varints in `packed`: of bytes that end one.
inline size_t CountVarints(Span packed) {
  size_t count = 0;
  for (size_t i = 0; i < packed.size; ++i) count += packed.data[i] < 0x80;
  return count;
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_VARINTS_H_
