#ifndef TFR_CORE_EXAMPLE_PARSE_ROW_BLOCK_H_
#define TFR_CORE_EXAMPLE_PARSE_ROW_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "core/example/parse/batch_parser.h"

namespace tfr {

/// Lays the one row of `parser`, an Example, out in `block`, whose start is a
/// multiple of 8: of each column two int32, the number of values and where in
/// the block they lie; then the values, numbers at multiples of 8. Of bytes
/// there are first the places of the values, one int32 more than values. False
/// when the row is larger than the block.
bool WriteRowBlock(const BatchParser& parser, uint8_t* block, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_ROW_BLOCK_H_
