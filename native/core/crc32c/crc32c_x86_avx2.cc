#if defined(__x86_64__) || defined(_M_X64)

#if defined(_MSC_VER) && !defined(__clang__)
#define TFR_CRC32C_TARGET
#else
#define TFR_CRC32C_TARGET \
  __attribute__((target("sse4.2,pclmul,avx2,vpclmulqdq")))
#endif

#include "core/crc32c/blocks.h"
#include "core/crc32c/has_avx2.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/x86_sse42.h"

namespace tfr::crc32c {
namespace {

struct Avx2 : Sse42 {
  using Vector = __m256i;
  static constexpr size_t kVectorBytes = 32;

  TFR_CRC32C_TARGET static Vector Load(const uint8_t* data) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
  }
  TFR_CRC32C_TARGET static Vector Xor(Vector a, Vector b) {
    return _mm256_xor_si256(a, b);
  }
  TFR_CRC32C_TARGET static Vector FromState(uint32_t state) {
    return _mm256_zextsi128_si256(Sse42::FromState(state));
  }
  TFR_CRC32C_TARGET static Vector Factors(Fold fold) {
    return _mm256_broadcastsi128_si256(Sse42::Factors(fold));
  }
  TFR_CRC32C_TARGET static Vector FoldOnto(Vector v, Vector factors,
                                           Vector onto) {
    return Xor(Xor(_mm256_clmulepi64_epi128(v, factors, 0x00), onto),
               _mm256_clmulepi64_epi128(v, factors, 0x11));
  }
  TFR_CRC32C_TARGET static uint32_t Reduce(Vector v) {
    return Sse42::Reduce(Sse42::FoldOnto(_mm256_castsi256_si128(v),
                                         Sse42::Factors(kFoldBy<128>),
                                         _mm256_extracti128_si256(v, 1)));
  }
};

constexpr int kWords = 5;

TFR_CRC32C_TARGET uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  return ExtendInBlocks<Avx2, kWords>(crc, data, size);
}

}  // namespace

const Kernel kX86Avx2 = {"x86-avx2", &HasAvx2, &Run};

}  // namespace tfr::crc32c

#endif  // x86-64
