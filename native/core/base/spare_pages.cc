#include "core/base/spare_pages.h"

#include <algorithm>

namespace tfr {

void* SparePages::Take(size_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  // Newest first: the CPU caches may still hold them.
  for (size_t i = count_; i-- > 0;) {
    if (pages_[i].size == size) return RemoveAt(i).data;
  }
  return nullptr;
}

size_t SparePages::Keep(Pages pages, std::array<Pages, kMost>* gone) {
  if (pages.size > kMostBytes) {
    gone->front() = pages;
    return 1;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  size_t number = 0;
  while (count_ == kMost || bytes_ > kMostBytes - pages.size) {
    (*gone)[number++] = RemoveAt(0);
  }
  pages_[count_++] = pages;
  bytes_ += pages.size;
  return number;
}

SparePages::Pages SparePages::RemoveAt(size_t place) {
  const Pages removed = pages_[place];
  Pages* const at = pages_.data() + place;
  std::move(at + 1, pages_.data() + count_, at);
  --count_;
  bytes_ -= removed.size;
  return removed;
}

}  // namespace tfr
