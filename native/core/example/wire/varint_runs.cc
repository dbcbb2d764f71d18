#include "core/example/wire/varint_runs.h"

#include <cstring>

#include "core/base/endian.h"
#include "core/example/wire/varints.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tfr {

namespace {

constexpr size_t kBlock = 64;
constexpr uint64_t kAllEnd = ~uint64_t{0};
constexpr uint64_t kEverySecondEnds = 0xaaaaaaaaaaaaaaaa;

/// The value bits in a varint's first eight bytes, by the varint's size.
alignas(16) constexpr uint64_t kValueBits[] = {
    0,
    0x7f,
    0x7f7f,
    0x7f7f7f,
    0x7f7f7f7f,
    0x7f7f7f7f7f,
    0x7f7f7f7f7f7f,
    0x7f7f7f7f7f7f7f,
    0x7f7f7f7f7f7f7f7f,
    0x7f7f7f7f7f7f7f7f,
    0x7f7f7f7f7f7f7f7f,
};
/// The value bits in its ninth and tenth byte, by its size.
constexpr uint64_t kHighBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0x17f};
constexpr size_t kMostBytes = kLongestVarint;

/// A mask with a bit for each of 64 bytes, set where a varint ends.
uint64_t EndsOf(const uint8_t* block) {
  uint64_t more = 0;
#if defined(__SSE2__)
  for (size_t i = 0; i < kBlock; i += 16) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + i));
    more |=
        static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(bytes)))
        << i;
  }
#else
  for (size_t i = 0; i < kBlock; i += 8) {
    // The product gathers the eight bits in its highest byte.
    const uint64_t bits = (LoadLE64(block + i) & kStops) >> 7;
    more |= (bits * 0x0102040810204080) >> 56 << i;
  }
#endif
  return ~more;
}

/// Returns the value of the varint of `size` (at most ten) bytes at `p`.
int64_t ValueAt(const uint8_t* p, size_t size) {
  const uint64_t high = (p[8] | uint64_t{p[9]} << 8) & kHighBits[size];
  return static_cast<int64_t>(GatherBits(LoadLE64(p) & kValueBits[size]) |
                              (high & 0x7f) << 56 | high >> 8 << 63);
}

/// Decodes two varints of at most eight bytes each.
void TakePair(const uint8_t* first, size_t first_size, const uint8_t* second,
              size_t second_size, int64_t* to) {
#if defined(__SSE2__)
  const auto load = [](const void* at) {
    return _mm_loadl_epi64(static_cast<const __m128i*>(at));
  };
  const __m128i mask = _mm_unpacklo_epi64(load(kValueBits + first_size),
                                          load(kValueBits + second_size));
  const __m128i bytes =
      _mm_and_si128(_mm_unpacklo_epi64(load(first), load(second)), mask);
  // Joins the 7-bit groups: 14 bits per two bytes, 28 per four, 56 per eight. A
  // pair of bytes is low + 256 high; adding low again and halving gives low +
  // 128 high.
  const __m128i low = _mm_and_si128(bytes, _mm_set1_epi16(0x7f));
  const __m128i twos = _mm_srli_epi16(_mm_add_epi16(bytes, low), 1);
  const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(1 << 30 | 1));
  const __m128i lower = _mm_set1_epi64x(0x0fffffff);
  const __m128i values =
      _mm_or_si128(_mm_and_si128(fours, lower),
                   _mm_srli_epi64(_mm_andnot_si128(lower, fours), 4));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), values);
#else
  to[0] = static_cast<int64_t>(
      GatherBits(LoadLE64(first) & kValueBits[first_size]));
  to[1] = static_cast<int64_t>(
      GatherBits(LoadLE64(second) & kValueBits[second_size]));
#endif
}

/// Decodes the varints that end in the 64 bytes from `p` on, except the last
/// one if their number is odd. Returns nullptr if one is too long.
const uint8_t* TakeBlock(const uint8_t* p, int64_t** to) {
  const uint8_t* const block = p;
  int64_t* out = *to;
  uint64_t ends = EndsOf(p);
  if (ends == kAllEnd) {
    for (size_t i = 0; i < kBlock; ++i) out[i] = p[i];
    *to = out + kBlock;
    return p + kBlock;
  }
  if (ends == kEverySecondEnds) {
    for (size_t i = 0; i < kBlock / 2; ++i) {
      out[i] = (p[2 * i] & 0x7f) | p[2 * i + 1] << 7;
    }
    *to = out + kBlock / 2;
    return p + kBlock;
  }
  const auto next = [&ends, block] {
    const uint8_t* const behind = block + BitsBelow(ends) + 1;
    ends &= ends - 1;
    return behind;
  };
  // 64 bytes hold the ends of at least six varints of at most ten bytes.
  if ((ends & (ends - 1)) == 0) return nullptr;
  while ((ends & (ends - 1)) != 0) {
    const uint8_t* const second = next();
    const uint8_t* const behind = next();
    const auto first_size = static_cast<size_t>(second - p);
    const auto second_size = static_cast<size_t>(behind - second);
    if (first_size <= 8 && second_size <= 8) {
      TakePair(p, first_size, second, second_size, out);
    } else {
      if (first_size > kMostBytes || second_size > kMostBytes) return nullptr;
      out[0] = ValueAt(p, first_size);
      out[1] = ValueAt(second, second_size);
    }
    out += 2;
    p = behind;
  }
  *to = out;
  return p;
}

}  // namespace

const uint8_t* ReadVarintRun(const uint8_t* p, const uint8_t* end,
                             int64_t** to) {
  while (static_cast<size_t>(end - p) >= kVarintRun) {
    p = TakeBlock(p, to);
    if (p == nullptr) return nullptr;
  }
  return p;
}

}  // namespace tfr
