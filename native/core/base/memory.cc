#include "core/base/memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define TFR_WATCHED_MEMORY
#endif
#endif

// Sanitizers track malloc, and do not see pages that mremap moves.
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
/// Large-page size of common processors. Where large pages are larger, the
/// kernel ignores the advice.
constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
constexpr size_t kLargePagesFrom = 2 * kLargePage;

/// Never destroyed: threads may outlive `main`.
SparePages& Spare() {
  static auto* const spare = new SparePages;
  return *spare;
}

/// `pages` must be a whole mapping: advice for a part would split it in two,
/// and mremap cannot move a split mapping.
void PreferLarge(void* pages, size_t size) {
  // Where large pages do not exist, the call fails harmlessly.
  if (size >= kLargePagesFrom) madvise(pages, size, MADV_HUGEPAGE);
}

void* NewPages(size_t size) {
  void* const kept = Spare().Take(size);
  if (kept != nullptr) return kept;
  void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  PreferLarge(pages, size);
  return pages;
}

}  // namespace

void* GrowMemory(void* data, size_t size, size_t wanted) {
  if (wanted < kPagesFrom) return std::realloc(data, wanted);
  if (size >= kPagesFrom) {
    // Copying is faster than having the kernel map and clear new pages.
    void* const kept = Spare().Take(wanted);
    if (kept != nullptr) {
      std::memcpy(kept, data, size);
      FreeMemory(data, size);
      return kept;
    }
    void* const moved = mremap(data, size, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return nullptr;
    PreferLarge(moved, wanted);
    return moved;
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

void ExpectWrites(void* data, size_t size) {
  if (size < kLargePage) return;
  const auto address = reinterpret_cast<uintptr_t>(data);
  const uintptr_t begin = (address + kLargePage - 1) & ~(kLargePage - 1);
  const uintptr_t end = (address + size) & ~(kLargePage - 1);
  if (begin >= end) return;
  madvise(static_cast<uint8_t*>(data) + (begin - address), end - begin,
          MADV_HUGEPAGE);
}

#else

void ExpectWrites(void* /*data*/, size_t /*size*/) {}

void* GrowMemory(void* data, size_t /*size*/, size_t wanted) {
  return std::realloc(data, wanted);
}

void FreeMemory(void* data, size_t /*size*/) { std::free(data); }

#endif

}  // namespace tfr
