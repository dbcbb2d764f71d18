#if defined(__x86_64__) || defined(_M_X64)

#if defined(_MSC_VER) && !defined(__clang__)
#define TFR_CRC32C_TARGET
#else
#define TFR_CRC32C_TARGET \
  __attribute__((target("sse4.2,pclmul,avx2,vpclmulqdq")))
#endif

#include "core/crc32c/fused_block.h"
#include "core/crc32c/has_avx2.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/serial.h"
#include "core/crc32c/x86_sse42.h"

namespace tfr::crc32c {
namespace {

// Below, CRC instructions in series have the lower latency. Measured.
constexpr size_t kSerialBelow = 128;

TFR_CRC32C_TARGET inline __m256i Load(const uint8_t* data) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
}

TFR_CRC32C_TARGET inline __m256i Factors(Fold fold) {
  return _mm256_broadcastsi128_si256(Sse42::Factors(fold));
}

/// `v`, moved by `factors`, plus `data`.
TFR_CRC32C_TARGET inline __m256i FoldOnto(__m256i v, __m256i factors,
                                          __m256i data) {
  return _mm256_xor_si256(
      _mm256_xor_si256(_mm256_clmulepi64_epi128(v, factors, 0x00), data),
      _mm256_clmulepi64_epi128(v, factors, 0x11));
}

/// The state after the 32 bytes of `v` on a state of zero.
TFR_CRC32C_TARGET inline uint32_t Reduce(__m256i v) {
  const __m128i last =
      _mm_xor_si128(Sse42::FoldVector(_mm256_castsi256_si128(v),
                                      Sse42::Factors(kFoldBy<128>)),
                    _mm256_extracti128_si256(v, 1));
  const uint32_t state = Sse42::Step64(0, Sse42::LowHalf(last));
  return Sse42::Step64(state, Sse42::HighHalf(last));
}

TFR_CRC32C_TARGET uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  uint32_t state = ~crc;
  if (size >= kSerialBelow) {
    __m256i v0 = _mm256_xor_si256(
        Load(data), _mm256_zextsi128_si256(Sse42::FromState(state)));
    __m256i v1 = Load(data + 32);
    __m256i v2 = Load(data + 64);
    __m256i v3 = Load(data + 96);
    const __m256i by1024 = Factors(kFoldBy<1024>);
    for (data += 128, size -= 128; size >= 128; data += 128, size -= 128) {
      v0 = FoldOnto(v0, by1024, Load(data));
      v1 = FoldOnto(v1, by1024, Load(data + 32));
      v2 = FoldOnto(v2, by1024, Load(data + 64));
      v3 = FoldOnto(v3, by1024, Load(data + 96));
    }
    const __m256i by256 = Factors(kFoldBy<256>);
    v2 = FoldOnto(v2, by256, FoldOnto(v1, Factors(kFoldBy<512>), v3));
    v0 = FoldOnto(v0, Factors(kFoldBy<768>), v2);
    for (; size >= 32; data += 32, size -= 32) {
      v0 = FoldOnto(v0, by256, Load(data));
    }
    state = Reduce(v0);
  }
  return ~SerialSteps<Sse42>(state, data, size);
}

}  // namespace

const Kernel kX86Avx2 = {"x86-avx2", &HasAvx2, &Run};

}  // namespace tfr::crc32c

#endif  // x86-64
