#ifndef TFR_CORE_CRC32C_STREAM_BLOCK_H_
#define TFR_CORE_CRC32C_STREAM_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/crc32c/polynomial.h"

#if !defined(TFR_CRC32C_TARGET)
#error "define TFR_CRC32C_TARGET, the target attribute of the kernel's file"
#endif

namespace tfr::crc32c {

/// A block of three streams of `kWords` words each, interleaved through the CRC
/// instruction to hide its latency of 3 cycles. For inputs too short for the
/// overhead of a fused block. `Cpu` provides `Step64` and `Multiply32`.
template <class Cpu, int kWords>
struct StreamBlock {
  static constexpr size_t kStreamBytes = 8 * size_t{kWords};
  static constexpr size_t kBytes = 3 * kStreamBytes;

  /// Returns the state after the `kBytes` bytes at `data`.
  TFR_CRC32C_TARGET static uint32_t Extend(uint32_t s0, const uint8_t* data) {
    uint32_t s1 = 0;
    uint32_t s2 = 0;
    for (int word = 0; word < kWords; ++word) {
      s0 = Cpu::Step64(s0, LoadLE64(data));
      s1 = Cpu::Step64(s1, LoadLE64(data + kStreamBytes));
      s2 = Cpu::Step64(s2, LoadLE64(data + 2 * kStreamBytes));
      data += 8;
    }
    constexpr uint64_t kStreamBits = 8 * kStreamBytes;
    const uint64_t sum = Cpu::Multiply32(s0, kShiftBy<2 * kStreamBits>) ^
                         Cpu::Multiply32(s1, kShiftBy<kStreamBits>);
    return Cpu::Step64(0, sum) ^ s2;
  }
};

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_STREAM_BLOCK_H_
