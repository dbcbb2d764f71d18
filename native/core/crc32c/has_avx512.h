#ifndef TFR_CORE_CRC32C_HAS_AVX512_H_
#define TFR_CORE_CRC32C_HAS_AVX512_H_

#include "core/crc32c/has_avx2.h"

namespace tfr::crc32c {

/// True with AVX-512 F, DQ, BW, VL and VBMI, and 512-bit VPCLMULQDQ: Intel
/// servers from Ice Lake, AMD from Zen 4.
inline bool HasAvx512() {
  constexpr uint32_t kXmmYmmZmm = 0xe6;
  constexpr uint32_t kEbx = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  constexpr uint32_t kVbmi = 1u << 1;
  const Cpuid extended = QueryCpu(7);
  return HasAvx2() && SystemSaves(kXmmYmmZmm) &&
         (extended.ebx & kEbx) == kEbx && (extended.ecx & kVbmi) != 0;
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_HAS_AVX512_H_
