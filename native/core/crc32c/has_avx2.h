#ifndef TFR_CORE_CRC32C_HAS_AVX2_H_
#define TFR_CORE_CRC32C_HAS_AVX2_H_

#include "core/crc32c/has_sse42.h"

namespace tfr::crc32c {

/// True with AVX2 and 256-bit VPCLMULQDQ: AMD from Zen 3, Intel from Alder
/// Lake.
inline bool HasAvx2() {
  constexpr uint32_t kXmmYmm = 0x06;
  constexpr uint32_t kAvx = 1u << 28;
  constexpr uint32_t kAvx2 = 1u << 5;
  constexpr uint32_t kVpclmulqdq = 1u << 10;
  const Cpuid extended = QueryCpu(7);
  return HasSse42() && (QueryCpu(1).ecx & kAvx) != 0 && SystemSaves(kXmmYmm) &&
         (extended.ebx & kAvx2) != 0 && (extended.ecx & kVpclmulqdq) != 0;
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_HAS_AVX2_H_
