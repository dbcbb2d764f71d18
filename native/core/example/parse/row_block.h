#ifndef TFR_CORE_EXAMPLE_PARSE_ROW_BLOCK_H_
#define TFR_CORE_EXAMPLE_PARSE_ROW_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "core/example/parse/batch_parser.h"

namespace tfr {

/// Writes the single row of `parser`, an Example, to `block`, which is aligned
/// to 8 bytes. First come two int32 per column: the number of values and their
/// offset in the block. Then come the values, numbers at multiples of 8. Values
/// of bytes start with their offsets, one int32 more than there are values.
/// Returns false if the row does not fit.
bool WriteRowBlock(const BatchParser& parser, uint8_t* block, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_ROW_BLOCK_H_
