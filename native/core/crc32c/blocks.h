#ifndef TFR_CORE_CRC32C_BLOCKS_H_
#define TFR_CORE_CRC32C_BLOCKS_H_

#include <cstddef>
#include <cstdint>

#include "core/crc32c/fused_block.h"
#include "core/crc32c/serial.h"
#include "core/crc32c/stream_block.h"

namespace tfr::crc32c {

/// Extends by as many whole blocks as there are; leaves the rest in `data` and
/// `size`.
template <class Block>
TFR_CRC32C_TARGET inline uint32_t ExtendByBlocks(uint32_t state,
                                                 const uint8_t*& data,
                                                 size_t& size) {
  for (; size >= Block::kBytes; size -= Block::kBytes) {
    state = Block::Extend(state, data);
    data += Block::kBytes;
  }
  return state;
}

/// A complete kernel: fused blocks, then streams, then single words. `kWords`
/// as in `FusedBlock`.
template <class Cpu, int kWords>
TFR_CRC32C_TARGET inline uint32_t ExtendInBlocks(uint32_t crc,
                                                 const uint8_t* data,
                                                 size_t size) {
  using Large = FusedBlock<Cpu, 32, kWords>;
  using Medium = FusedBlock<Cpu, 8, kWords>;
  using Streams480 = StreamBlock<Cpu, 20>;
  using Streams192 = StreamBlock<Cpu, 8>;
  using Streams96 = StreamBlock<Cpu, 4>;
  uint32_t state = ~crc;
  if (size >= Streams96::kBytes) {
    state = ExtendByBlocks<Large>(state, data, size);
    state = ExtendByBlocks<Medium>(state, data, size);
    state = ExtendByBlocks<Streams480>(state, data, size);
    state = ExtendByBlocks<Streams192>(state, data, size);
    state = ExtendByBlocks<Streams96>(state, data, size);
  }
  return ~SerialSteps<Cpu>(state, data, size);
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_BLOCKS_H_
