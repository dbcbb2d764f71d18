#ifndef TFR_CORE_EXAMPLE_DECODE_DECODED_BLOCK_H_
#define TFR_CORE_EXAMPLE_DECODE_DECODED_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "core/example/decode/decoded_record.h"

namespace tfr {

struct DecodedHead {
  uint32_t rows = 0;
  uint32_t idle_names = 0;
  /// Index of the first, in uint32s.
  uint32_t first_idle_name = 0;
};

/// Size of the block that `WriteDecodedBlock` writes.
size_t DecodedBlockSize(const DecodedRecord& decoded);

/// Writes a decoded record to `block`, which is aligned to 8 bytes and large
/// enough: a `DecodedHead` and the rows; then, at multiples of 8, ints, floats,
/// places and names. Each row's `first` becomes an index into the block as an
/// array of int64s, floats or, for places, uint32s; for packed floats it is
/// unchanged.
void WriteDecodedBlock(const DecodedRecord& decoded, uint8_t* block);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_DECODE_DECODED_BLOCK_H_
