#ifndef TFR_CORE_DEFLATE_OPEN_END_H_
#define TFR_CORE_DEFLATE_OPEN_END_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// Bytes that `OpenEnd` may add.
inline constexpr size_t kOpenEndGrowth = 5;

/// Turns the whole DEFLATE stream at `data` into one that can be continued, for
/// libraries that only write whole streams: marks its last block as non-final
/// and adds an empty stored block, which ends at a byte boundary. `size` is at
/// most 1 GiB, and `data` has room for `kOpenEndGrowth` more bytes. Returns the
/// new size; 0 when memory runs out (or the stream is damaged). Costs about as
/// much as inflating, which is the only way to find the start of the last
/// block.
size_t OpenEnd(uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_DEFLATE_OPEN_END_H_
