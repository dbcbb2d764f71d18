#ifndef TFR_CORE_CRC32C_CRC32C_H_
#define TFR_CORE_CRC32C_CRC32C_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/crc32c/instruction.h"

namespace tfr::crc32c {

using ExtendFunction = uint32_t (*)(uint32_t crc, const uint8_t* data,
                                    size_t size);

namespace internal {

/// The kernel in use. Its initial value chooses a kernel on the first call, so
/// initialization order does not matter; racing threads choose the same one.
extern std::atomic<ExtendFunction> extend;

/// True once the kernel is chosen and the CPU has the CRC instruction.
extern std::atomic<bool> has_instruction;

}  // namespace internal

/// Continues the finished CRC-32C `crc` over `size` bytes at `data`, at any
/// alignment, with the fastest kernel of this CPU. `Extend(0, ...)` is the CRC
/// of the bytes alone (RFC 3720, appendix B.4). `data` may be null if `size` is
/// 0.
inline uint32_t Extend(uint32_t crc, const uint8_t* data, size_t size) {
  return internal::extend.load(std::memory_order_relaxed)(crc, data, size);
}

/// CRC-32C of the 8 bytes at `data`: a record's length field. Where the
/// compiler can inline the CRC instruction, this is one instruction after one
/// well-predicted branch, without a call.
inline uint32_t Value8(const uint8_t* data) {
#if defined(TFR_CRC32C_INLINE_INSTRUCTION)
  if (internal::has_instruction.load(std::memory_order_relaxed)) {
    return ~Step64(~uint32_t{0}, LoadLE64(data));
  }
#endif
  return Extend(0, data, 8);
}

/// Name of the kernel that `Extend` uses, for reports: "portable", "x86-sse42"
/// and so on.
const char* KernelName();

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_CRC32C_H_
