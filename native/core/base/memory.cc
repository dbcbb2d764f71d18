#include "core/base/memory.h"

#include <cstdlib>
#include <cstring>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define TFR_WATCHED_MEMORY
#endif
#endif

// Sanitizers look after what malloc gives, and do not see pages move.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(TFR_WATCHED_MEMORY)
#include <sys/mman.h>

#include <array>

#include "core/base/spare_pages.h"
#define TFR_PAGES
#endif

namespace tfr {

#ifdef TFR_PAGES

namespace {

constexpr size_t kPagesFrom = size_t{128} << 10;

/// Never destroyed: threads may outlive the process's main function.
SparePages& Spare() {
  static auto* const spare = new SparePages;
  return *spare;
}

void* NewPages(size_t size) {
  void* const kept = Spare().Take(size);
  if (kept != nullptr) return kept;
  void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

}  // namespace

void* GrowMemory(void* data, size_t size, size_t wanted) {
  if (wanted < kPagesFrom) return std::realloc(data, wanted);
  if (size >= kPagesFrom) {
    // To copy takes less time than to have the kernel bring the rest.
    void* const kept = Spare().Take(wanted);
    if (kept != nullptr) {
      std::memcpy(kept, data, size);
      FreeMemory(data, size);
      return kept;
    }
    void* const moved = mremap(data, size, wanted, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? nullptr : moved;
  }
  void* const pages = NewPages(wanted);
  if (pages == nullptr) return nullptr;
  if (size > 0) std::memcpy(pages, data, size);
  std::free(data);
  return pages;
}

void FreeMemory(void* data, size_t size) {
  if (size < kPagesFrom) return std::free(data);
  std::array<SparePages::Pages, SparePages::kMost> gone;
  const size_t count = Spare().Keep({data, size}, &gone);
  for (size_t i = 0; i < count; ++i) munmap(gone[i].data, gone[i].size);
}

#else

void* GrowMemory(void* data, size_t /*size*/, size_t wanted) {
  return std::realloc(data, wanted);
}

void FreeMemory(void* data, size_t /*size*/) { std::free(data); }

#endif

}  // namespace tfr
