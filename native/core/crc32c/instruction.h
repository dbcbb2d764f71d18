#ifndef TFR_CORE_CRC32C_INSTRUCTION_H_
#define TFR_CORE_CRC32C_INSTRUCTION_H_

#include <cstdint>

#include "core/base/endian.h"

#if defined(_MSC_VER) && defined(_M_X64)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

/// `Step64(state, word)`: the CPU's CRC-32C instruction, in code that is
/// compiled for every CPU of the architecture. Defined, like
/// TFR_CRC32C_INLINE_INSTRUCTION, only where the compiler allows it; call it
/// only if the CPU has the instruction. `state` is the CRC register, the
/// complement of a finished CRC.
namespace tfr::crc32c {

#if defined(__x86_64__)
#define TFR_CRC32C_INLINE_INSTRUCTION 1
// Not the intrinsic: a function for SSE4.2 cannot be inlined into one without,
// so it would cost a call.
inline uint32_t Step64(uint32_t state, uint64_t word) {
  uint64_t wide = state;
  __asm__("{crc32q %1, %0|crc32 %0, %1}" : "+r"(wide) : "rm"(word));
  return static_cast<uint32_t>(wide);
}
#elif defined(_M_X64)
#define TFR_CRC32C_INLINE_INSTRUCTION 1
inline uint32_t Step64(uint32_t state, uint64_t word) {
  return static_cast<uint32_t>(_mm_crc32_u64(state, word));
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#define TFR_CRC32C_INLINE_INSTRUCTION 1
inline uint32_t Step64(uint32_t state, uint64_t word) {
  return __crc32cd(state, word);
}
#endif

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_INSTRUCTION_H_
