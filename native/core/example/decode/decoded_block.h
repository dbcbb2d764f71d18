#ifndef TFR_CORE_EXAMPLE_DECODE_DECODED_BLOCK_H_
#define TFR_CORE_EXAMPLE_DECODE_DECODED_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "core/example/decode/decoded_record.h"

namespace tfr {

struct DecodedHead {
  uint32_t rows = 0;
  uint32_t idle_names = 0;
  /// Where they are, in uint32s.
  uint32_t first_idle_name = 0;
};

/// Bytes that `WriteDecodedBlock` needs.
size_t DecodedBlockSize(const DecodedRecord& decoded);

/// Lays out what was taken from a record in `block`, whose start is a
/// multiple of 8 and which has the room: a `DecodedHead` and the rows; then, at
/// multiples of 8, ints, floats, places and names. In the rows `first` is an
/// index of the block seen as an array of int64s, floats or, for places,
/// uint32s; of packed floats it stays what it is.
void WriteDecodedBlock(const DecodedRecord& decoded, uint8_t* block);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_DECODE_DECODED_BLOCK_H_
