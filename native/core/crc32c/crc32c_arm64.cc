// Not for Microsoft's compiler, which names the polynomial types differently.
#if defined(__aarch64__) && !defined(__AARCH64EB__)

#include <arm_acle.h>
#include <arm_neon.h>

#if defined(__clang__)
#define TFR_CRC32C_TARGET __attribute__((target("crc,aes")))
#else
#define TFR_CRC32C_TARGET __attribute__((target("+crc+crypto")))
#endif

#include "core/crc32c/blocks.h"
#include "core/crc32c/has_arm64_crc.h"
#include "core/crc32c/kernel.h"

namespace tfr::crc32c {
namespace {

/// The CRC32 and PMULL instructions for the templates of blocks.h.
struct Arm64 {
  using Vector = uint64x2_t;
  static constexpr size_t kVectorBytes = 16;

  TFR_CRC32C_TARGET static uint32_t Step64(uint32_t state, uint64_t word) {
    return __crc32cd(state, word);
  }
  TFR_CRC32C_TARGET static Vector Load(const uint8_t* data) {
    return vreinterpretq_u64_u8(vld1q_u8(data));
  }
  TFR_CRC32C_TARGET static Vector Xor(Vector a, Vector b) {
    return veorq_u64(a, b);
  }
  TFR_CRC32C_TARGET static Vector Factors(Fold fold) {
    return vcombine_u64(vcreate_u64(fold.low), vcreate_u64(fold.high));
  }
  TFR_CRC32C_TARGET static Vector FoldOnto(Vector v, Vector factors,
                                           Vector onto) {
    const poly64x2_t a = vreinterpretq_p64_u64(v);
    const poly64x2_t b = vreinterpretq_p64_u64(factors);
    const Vector low = vreinterpretq_u64_p128(
        vmull_p64(vgetq_lane_p64(a, 0), vgetq_lane_p64(b, 0)));
    const Vector high = vreinterpretq_u64_p128(vmull_high_p64(a, b));
    return Xor(Xor(low, onto), high);
  }
  TFR_CRC32C_TARGET static Vector FromState(uint32_t state) {
    return vcombine_u64(vcreate_u64(state), vcreate_u64(0));
  }
  TFR_CRC32C_TARGET static uint32_t Reduce(Vector v) {
    const uint32_t state = Step64(0, vgetq_lane_u64(v, 0));
    return Step64(state, vgetq_lane_u64(v, 1));
  }
  TFR_CRC32C_TARGET static uint64_t Multiply32(uint32_t a, uint32_t b) {
    return vgetq_lane_u64(
        vreinterpretq_u64_p128(
            vmull_p64(static_cast<poly64_t>(a), static_cast<poly64_t>(b))),
        0);
  }
};

// Estimated, not measured: one CRC step and one multiplication per cycle.
constexpr int kWords = 3;

TFR_CRC32C_TARGET uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  return ExtendInBlocks<Arm64, kWords>(crc, data, size);
}

}  // namespace

const Kernel kArm64 = {"arm64", &HasArm64Crc, &Run};

}  // namespace tfr::crc32c

#endif  // little-endian arm64
