#ifndef TFR_CORE_CRC32C_HAS_ARM64_CRC_H_
#define TFR_CORE_CRC32C_HAS_ARM64_CRC_H_

#if defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(_WIN32)
#include <windows.h>
#endif

namespace tfr::crc32c {

/// True if the CPU has the CRC32 and PMULL instructions, optional in ARMv8.0.
inline bool HasArm64Crc() {
#if defined(__APPLE__)
  return true;  // All Apple CPUs that run macOS.
#elif defined(__linux__)
  constexpr unsigned long kNeeded = HWCAP_CRC32 | HWCAP_PMULL;
  return (getauxval(AT_HWCAP) & kNeeded) == kNeeded;
#elif defined(_WIN32)
  return IsProcessorFeaturePresent(PF_ARM_V8_CRC32_INSTRUCTIONS_AVAILABLE) &&
         IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE);
#else
  return false;
#endif
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_HAS_ARM64_CRC_H_
