#ifndef TFR_CORE_BASE_SPARE_PAGES_H_
#define TFR_CORE_BASE_SPARE_PAGES_H_

#include <array>
#include <cstddef>
#include <mutex>

namespace tfr {

/// A process-wide cache of freed page mappings, a few MiB at most. Reading the
/// next file into the pages of the previous one saves the kernel mapping and
/// clearing new ones.
class SparePages {
 public:
  /// Upper limit of the bytes kept.
  static constexpr size_t kMostBytes = size_t{4} << 20;

  /// Returns a mapping of exactly `size` bytes with stale content, or nullptr.
  void* Take(size_t size);

  struct Pages {
    void* data = nullptr;
    size_t size = 0;
  };
  static constexpr size_t kMost = 32;

  /// Keeps `pages`, evicting the oldest if necessary. Writes the evicted
  /// mappings to `gone`, for the caller to unmap, and returns their number.
  size_t Keep(Pages pages, std::array<Pages, kMost>* gone);

 private:
  Pages RemoveAt(size_t place);

  std::mutex mutex_;
  /// Oldest first.
  std::array<Pages, kMost> pages_;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_SPARE_PAGES_H_
