#ifndef TFR_CORE_BASE_MEMORY_H_
#define TFR_CORE_BASE_MEMORY_H_

#include <cstddef>

namespace tfr {

/// Like std::realloc and std::free, but large memory is a page mapping of its
/// own. Freeing it returns the pages to the system, except for a few MiB kept
/// for reuse (SparePages). With malloc, memory that one thread allocates and
/// another frees fragments the heaps: reading 100 kB records took 5 to 10 MB
/// more.
///
/// `size` is the current size; 0 if `data` is nullptr. `wanted` is larger than
/// `size`. GrowMemory returns nullptr when memory runs out; `data` is then
/// unchanged.
[[nodiscard]] void* GrowMemory(void* data, size_t size, size_t wanted);

void FreeMemory(void* data, size_t size);

/// Prepares memory that is about to be overwritten in full. If large pages lie
/// in it, requests them: mapping each page of 4 KiB takes longer than filling
/// it. The large pages lie within `size`, so they never use more memory.
void ExpectWrites(void* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_BASE_MEMORY_H_
