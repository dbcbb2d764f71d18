#ifndef TFR_CORE_BASE_MEMORY_H_
#define TFR_CORE_BASE_MEMORY_H_

#include <cstddef>

namespace tfr {

/// As std::realloc and std::free do, but that large memory is pages of its own,
/// which go back to the system when it is freed, but for a few MiB that serve
/// again (SparePages). What one thread allocates and
/// another frees, over and over, leaves malloc's heaps full of holes: reading
/// 100 kB records took 5 to 10 MB more.
///
/// `size` is what the memory has; 0 for none, which is nullptr. `wanted` is
/// more than that. Nullptr when memory ran out, and `data` stays as it was.
[[nodiscard]] void* GrowMemory(void* data, size_t size, size_t wanted);

void FreeMemory(void* data, size_t size);

/// Prepares memory that is about to be written from end to end. If `size` is
/// some MiB, asks the system for large pages: mapping every page of 4 KiB takes
/// longer than filling it. They never take more memory than `size`.
void ExpectWrites(void* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_BASE_MEMORY_H_
