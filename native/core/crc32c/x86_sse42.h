#ifndef TFR_CORE_CRC32C_X86_SSE42_H_
#define TFR_CORE_CRC32C_X86_SSE42_H_

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/crc32c/polynomial.h"

#if !defined(TFR_CRC32C_TARGET)
#error "define TFR_CRC32C_TARGET, the target attribute of the kernel's file"
#endif

namespace tfr::crc32c {
namespace {

/// SSE4.2 and PCLMULQDQ for the templates of blocks.h. In an unnamed namespace,
/// because each kernel's file compiles it for its own target.
struct Sse42 {
  using Vector = __m128i;
  static constexpr size_t kVectorBytes = 16;

  TFR_CRC32C_TARGET static uint32_t Step64(uint32_t state, uint64_t word) {
    return static_cast<uint32_t>(_mm_crc32_u64(state, word));
  }
  TFR_CRC32C_TARGET static Vector Load(const uint8_t* data) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
  }
  TFR_CRC32C_TARGET static Vector Xor(Vector a, Vector b) {
    return _mm_xor_si128(a, b);
  }
  TFR_CRC32C_TARGET static Vector Factors(Fold fold) {
    return _mm_set_epi64x(fold.high, fold.low);
  }
  TFR_CRC32C_TARGET static Vector FoldOnto(Vector v, Vector factors,
                                           Vector onto) {
    return _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(v, factors, 0x00), onto),
        _mm_clmulepi64_si128(v, factors, 0x11));
  }
  TFR_CRC32C_TARGET static Vector FromState(uint32_t state) {
    return _mm_cvtsi32_si128(static_cast<int>(state));
  }
  TFR_CRC32C_TARGET static uint32_t Reduce(Vector v) {
    const uint32_t state =
        Step64(0, static_cast<uint64_t>(_mm_cvtsi128_si64(v)));
    return Step64(state, static_cast<uint64_t>(_mm_extract_epi64(v, 1)));
  }
  TFR_CRC32C_TARGET static uint64_t Multiply32(uint32_t a, uint32_t b) {
    return static_cast<uint64_t>(_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(FromState(a), FromState(b), 0x00)));
  }
};

}  // namespace
}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_X86_SSE42_H_
