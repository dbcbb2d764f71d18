#ifndef TFR_CORE_CRC32C_SERIAL_H_
#define TFR_CORE_CRC32C_SERIAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"

#if !defined(TFR_CRC32C_TARGET)
#error "define TFR_CRC32C_TARGET, the target attribute of the kernel's file"
#endif

namespace tfr::crc32c {

/// Returns the state after the `count` (1 to 8) low bytes of `bytes`, in one
/// 8-byte step for any count: leading zero bytes do not change a zero state, so
/// state and bytes are shifted to the end of the word. State bits beyond
/// `count` bytes bypass the step.
template <class Cpu>
TFR_CRC32C_TARGET inline uint32_t LastStep(uint32_t state, uint64_t bytes,
                                           size_t count) {
  const uint64_t word = (bytes ^ state) << (64 - 8 * count);
  // Two shifts, because a shift by 64 is undefined.
  const uint64_t left = uint64_t{state} >> (4 * count) >> (4 * count);
  return Cpu::Step64(0, word) ^ static_cast<uint32_t>(left);
}

/// Returns the state after `size` bytes, word by word: lowest latency for short
/// inputs. `Cpu::Step64` is the CRC instruction.
template <class Cpu>
TFR_CRC32C_TARGET inline uint32_t SerialSteps(uint32_t state,
                                              const uint8_t* data,
                                              size_t size) {
  if (size >= 8) {
    const uint8_t* const last = data + size - 8;
    for (; data < last; data += 8) {
      state = Cpu::Step64(state, LoadLE64(data));
    }
    const size_t count = 8 - static_cast<size_t>(data - last);
    return LastStep<Cpu>(state, LoadLE64(last) >> (64 - 8 * count), count);
  }
  if (size >= 4) {
    const uint64_t bytes = LoadLE32(data) | uint64_t{LoadLE32(data + size - 4)}
                                                << (8 * (size - 4));
    return LastStep<Cpu>(state, bytes, size);
  }
  if (size == 0) return state;
  // The first, middle and last byte cover all 1 to 3 bytes.
  const uint64_t bytes = uint64_t{data[0]} |
                         uint64_t{data[size / 2]} << (8 * (size / 2)) |
                         uint64_t{data[size - 1]} << (8 * (size - 1));
  return LastStep<Cpu>(state, bytes, size);
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_SERIAL_H_
