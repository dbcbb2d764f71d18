#ifndef TFR_CORE_EXAMPLE_WIRE_VARINTS_H_
#define TFR_CORE_EXAMPLE_WIRE_VARINTS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/example/wire/varint_runs.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Number of clear bits below the lowest set bit of `bits` (not 0).
inline unsigned BitsBelow(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
  return static_cast<unsigned>(__builtin_ctzll(bits));
#else
  unsigned count = 0;
  for (; (bits & 1) == 0; bits >>= 1) ++count;
  return count;
#endif
}

/// Number of bytes up to and including the first one below 0x80, for the set
/// stop bits `stops` (not 0) of eight bytes.
inline unsigned BytesToStop(uint64_t stops) {
  return (BitsBelow(stops) >> 3) + 1;
}

/// The top bits of eight bytes; clear where a varint ends.
inline constexpr uint64_t kStops = 0x8080808080808080;

/// Joins 8 x 7 bits to 56.
inline uint64_t GatherBits(uint64_t bits) {
  bits = (bits & 0x007f007f007f007f) | (bits & 0x7f007f007f007f00) >> 1;
  bits = (bits & 0x00003fff00003fff) | (bits & 0x3fff00003fff0000) >> 2;
  return (bits & 0x000000000fffffff) | (bits & 0x0fffffff00000000) >> 4;
}

/// Decodes a varint of at least two bytes at `p`. Returns the position after
/// it, or nullptr if it is malformed. May read eight bytes from `p` on, up to
/// `limit`.
inline const uint8_t* LongVarint(const uint8_t* p, const uint8_t* end,
                                 const uint8_t* limit, uint64_t* value) {
  if (MayRead(p, 8, limit)) {
    const uint64_t word = LoadLE64(p);
    const uint64_t stops = ~word & kStops;
    if (stops != 0) {
      const unsigned size = BytesToStop(stops);
      if (size > static_cast<size_t>(end - p)) return nullptr;
      // Keeps the bytes up to and including the last of the varint.
      *value = GatherBits(word & (stops ^ (stops - 1)) & ~kStops);
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

/// Decodes all varints of `packed` to `to`, which has room for them. Returns
/// the end of the values; nullptr if a varint is malformed. May read eight
/// bytes from the start of the last one, up to `limit`. Each varint's position
/// depends on the lengths of those before it, so it decodes as many at a time
/// as eight bytes hold: eight of one byte, four of two bytes, or any two.
inline int64_t* ReadVarints(Span packed, const uint8_t* limit, int64_t* to) {
  constexpr uint64_t kFourOfTwo = 0x0080008000800080;
  const uint8_t* const end = packed.end();
  const uint8_t* p = packed.data;
  if (packed.size >= kVarintRun) {
    p = ReadVarintRun(p, end, &to);
    if (p == nullptr) return nullptr;
  }
  while (p != end) {
    const auto left = static_cast<size_t>(end - p);
    if (left > 8 || MayRead(p, 8, limit)) {
      const uint64_t word = LoadLE64(p);
      if ((word & kStops) == 0 && left >= 8) {
        for (unsigned i = 0; i < 64; i += 8) {
          *to++ = static_cast<int64_t>(word >> i & 0x7f);
        }
        p += 8;
        continue;
      }
      if ((word & kStops) == kFourOfTwo && left >= 8) {
        for (unsigned i = 0; i < 64; i += 16) {
          *to++ = static_cast<int64_t>((word >> i & 0x7f) |
                                       (word >> (i + 1) & 0x3f80));
        }
        p += 8;
        continue;
      }
      const uint64_t first = ~word & kStops;
      const uint64_t second = first & (first - 1);
      if (second != 0) {
        const unsigned size = BytesToStop(second);
        if (size <= left) {
          const uint64_t mask = first ^ (first - 1);
          const unsigned bits = 8 * BytesToStop(first);
          to[0] = static_cast<int64_t>(GatherBits(word & mask & ~kStops));
          to[1] = static_cast<int64_t>(
              GatherBits((word & (second ^ (second - 1)) & ~kStops) >> bits));
          to += 2;
          p += size;
          continue;
        }
      }
    }
    uint64_t value;
    p = ReadVarint(p, end, limit, &value);
    if (p == nullptr) return nullptr;
    *to++ = static_cast<int64_t>(value);
  }
  return to;
}

/// Number of varints in `packed`: the bytes that end one.
inline size_t CountVarints(Span packed) {
  size_t count = 0;
  for (size_t i = 0; i < packed.size; ++i) count += packed.data[i] < 0x80;
  return count;
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_WIRE_VARINTS_H_
