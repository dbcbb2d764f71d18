#ifndef TFR_CORE_DEFLATE_OPEN_END_H_
#define TFR_CORE_DEFLATE_OPEN_END_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// What `OpenEnd` may add.
inline constexpr size_t kOpenEndGrowth = 5;

/// Makes of a whole DEFLATE stream at `data` one that goes on, for libraries
/// that only write whole ones: its last block is marked as one of the middle,
/// and an empty stored block brings it to a byte boundary. `size` is at most
/// 1 GiB, and there is room for `kOpenEndGrowth` bytes more. The new size; 0
/// when memory ran out (or the stream is damaged). Costs about what inflating
/// does: where the last block begins is not known otherwise.
size_t OpenEnd(uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_DEFLATE_OPEN_END_H_
