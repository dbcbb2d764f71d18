#if defined(__x86_64__) || defined(_M_X64)

#if defined(_MSC_VER) && !defined(__clang__)
#define TFR_CRC32C_TARGET
#define TFR_NO_INLINE __declspec(noinline)
#else
#define TFR_NO_INLINE __attribute__((noinline))
#define TFR_CRC32C_TARGET                             \
  __attribute__((                                     \
      target("sse4.2,pclmul,avx2,vpclmulqdq,avx512f," \
             "avx512dq,avx512bw,avx512vl,avx512vbmi")))
#endif

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of the undefined operands in its own <avx512fintrin.h>.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include "core/crc32c/blocks.h"
#include "core/crc32c/has_avx512.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/x86_sse42.h"

namespace tfr::crc32c {
namespace {

// Up to this size, serial CRC instructions are faster. Measured.
constexpr size_t kSerialMost = 64;
// From this many vectors on, four parallel folds are worth merging.
constexpr size_t kQuadLeast = 7;
constexpr int kWords = 5;

struct Avx512 : Sse42 {
  using Vector = __m512i;
  static constexpr size_t kVectorBytes = 64;

  TFR_CRC32C_TARGET static Vector Load(const uint8_t* data) {
    return _mm512_loadu_si512(data);
  }
  TFR_CRC32C_TARGET static Vector Xor(Vector a, Vector b) {
    return _mm512_xor_si512(a, b);
  }
  TFR_CRC32C_TARGET static Vector FromState(uint32_t state) {
    return _mm512_zextsi128_si512(Sse42::FromState(state));
  }
  TFR_CRC32C_TARGET static Vector Factors(Fold fold) {
    return _mm512_broadcast_i32x4(Sse42::Factors(fold));
  }
  TFR_CRC32C_TARGET static Vector FoldOnto(Vector v, Vector factors,
                                           Vector onto) {
    constexpr int kXorOfThree = 0x96;
    return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(v, factors, 0x00),
                                     _mm512_clmulepi64_epi128(v, factors, 0x11),
                                     onto, kXorOfThree);
  }
  /// Moves each quarter onto the last one, which stays in place.
  TFR_CRC32C_TARGET static uint32_t Reduce(Vector v) {
    constexpr Fold k0 = kFoldBy<384>;
    constexpr Fold k1 = kFoldBy<256>;
    constexpr Fold k2 = kFoldBy<128>;
    const Vector factors = _mm512_set_epi64(0, 0, k2.high, k2.low, k1.high,
                                            k1.low, k0.high, k0.low);
    const Vector moved = FoldOnto(v, factors, _mm512_maskz_mov_epi64(0xc0, v));
    const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(moved),
                                          _mm512_extracti64x4_epi64(moved, 1));
    return Sse42::Reduce(Sse42::Xor(_mm256_castsi256_si128(half),
                                    _mm256_extracti128_si256(half, 1)));
  }
};

/// The first `count` (1 to 64) bytes of `v`, aligned to the end after zeros.
TFR_CRC32C_TARGET inline __m512i AlignToEnd(__m512i v, size_t count) {
  alignas(64) static constexpr uint8_t kIndex[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
      32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
      48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const size_t zeros = 64 - count;
  const __m512i index = _mm512_sub_epi8(
      _mm512_load_si512(kIndex), _mm512_set1_epi8(static_cast<char>(zeros)));
  return _mm512_maskz_permutexvar_epi8(~__mmask64{0} << zeros, index, v);
}

/// Returns the state after `size` bytes, more than 64, using vectors only.
TFR_CRC32C_TARGET inline uint32_t ExtendInVectors(uint32_t state,
                                                  const uint8_t* data,
                                                  size_t size) {
  // The odd bytes come first, padded in front with zeros, which change nothing;
  // whole vectors follow. The state is combined with the first 4 bytes, which
  // may span two vectors.
  const size_t head = ((size - 1) & 63) + 1;
  const uint32_t beyond = head < 4 ? state >> (8 * head) : 0;
  __m512i v0 = AlignToEnd(
      Avx512::Xor(Avx512::Load(data), Avx512::FromState(state)), head);
  data += head;
  const __m512i by1 = Avx512::Factors(kFoldBy<512>);
  v0 = Avx512::FoldOnto(
      v0, by1, Avx512::Xor(Avx512::Load(data), Avx512::FromState(beyond)));
  data += 64;
  size_t vectors = (size - head) / 64 - 1;

  if (vectors >= kQuadLeast) {
    __m512i v1 = Avx512::Load(data);
    __m512i v2 = Avx512::Load(data + 64);
    __m512i v3 = Avx512::Load(data + 128);
    data += 192;
    const __m512i by4 = Avx512::Factors(kFoldBy<2048>);
    for (vectors -= 3; vectors >= 4; vectors -= 4) {
      v0 = Avx512::FoldOnto(v0, by4, Avx512::Load(data));
      v1 = Avx512::FoldOnto(v1, by4, Avx512::Load(data + 64));
      v2 = Avx512::FoldOnto(v2, by4, Avx512::Load(data + 128));
      v3 = Avx512::FoldOnto(v3, by4, Avx512::Load(data + 192));
      data += 256;
    }
    v3 = Avx512::FoldOnto(v2, by1, v3);
    v3 = Avx512::FoldOnto(v1, Avx512::Factors(kFoldBy<1024>), v3);
    v0 = Avx512::FoldOnto(v0, Avx512::Factors(kFoldBy<1536>), v3);
  }
  for (; vectors != 0; --vectors, data += 64) {
    v0 = Avx512::FoldOnto(v0, by1, Avx512::Load(data));
  }
  return Avx512::Reduce(v0);
}

using Large = FusedBlock<Avx512, 16, kWords>;

/// For inputs of at least one large block. Not inlined: saving its registers
/// would cost short inputs a nanosecond.
TFR_CRC32C_TARGET TFR_NO_INLINE uint32_t RunLarge(uint32_t crc,
                                                  const uint8_t* data,
                                                  size_t size) {
  const uint32_t state = ExtendByBlocks<Large>(~crc, data, size);
  if (size > kSerialMost) return ~ExtendInVectors(state, data, size);
  return ~SerialSteps<Sse42>(state, data, size);
}

TFR_CRC32C_TARGET uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  if (size <= kSerialMost) return ~SerialSteps<Sse42>(~crc, data, size);
  if (size < Large::kBytes) return ~ExtendInVectors(~crc, data, size);
  return RunLarge(crc, data, size);
}

}  // namespace

const Kernel kX86Avx512 = {"x86-avx512", &HasAvx512, &Run};

}  // namespace tfr::crc32c

#endif  // x86-64
