#ifndef TFR_CORE_CRC32C_HAS_SSE42_H_
#define TFR_CORE_CRC32C_HAS_SSE42_H_

#include "core/crc32c/cpuid_x86.h"

namespace tfr::crc32c {

/// True with SSE4.2 (the CRC32 instruction) and PCLMULQDQ.
inline bool HasSse42() {
  constexpr uint32_t kPclmulqdq = 1u << 1;
  constexpr uint32_t kSse42 = 1u << 20;
  constexpr uint32_t kNeeded = kPclmulqdq | kSse42;
  return (QueryCpu(1).ecx & kNeeded) == kNeeded;
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_HAS_SSE42_H_
