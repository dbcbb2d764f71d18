#ifndef TFR_CORE_CRC32C_CPUID_X86_H_
#define TFR_CORE_CRC32C_CPUID_X86_H_

#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
#else
#include <cpuid.h>
#endif

namespace tfr::crc32c {

struct Cpuid {
  uint32_t eax, ebx, ecx, edx;
};

/// CPUID `leaf`, subleaf 0; all zeros if the CPU has no such leaf.
inline Cpuid QueryCpu(uint32_t leaf) {
  Cpuid result = {};
#if defined(_MSC_VER) && !defined(__clang__)
  int words[4];
  __cpuid(words, 0);
  if (leaf > static_cast<uint32_t>(words[0])) return result;
  __cpuidex(words, static_cast<int>(leaf), 0);
  result.eax = static_cast<uint32_t>(words[0]);
  result.ebx = static_cast<uint32_t>(words[1]);
  result.ecx = static_cast<uint32_t>(words[2]);
  result.edx = static_cast<uint32_t>(words[3]);
#else
  __get_cpuid_count(leaf, 0, &result.eax, &result.ebx, &result.ecx,
                    &result.edx);
#endif
  return result;
}

/// True if the operating system saves the register states `mask` of XCR0;
/// without that, a CPU's wide registers are unusable.
inline bool SystemSaves(uint32_t mask) {
  constexpr uint32_t kOsxsave = 1u << 27;
  if ((QueryCpu(1).ecx & kOsxsave) == 0) return false;
#if defined(_MSC_VER) && !defined(__clang__)
  const uint32_t saved = static_cast<uint32_t>(_xgetbv(0));
#else
  uint32_t saved, high;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
#endif
  return (saved & mask) == mask;
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_CPUID_X86_H_
