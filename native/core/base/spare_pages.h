#ifndef TFR_CORE_BASE_SPARE_PAGES_H_
#define TFR_CORE_BASE_SPARE_PAGES_H_

#include <array>
#include <cstddef>
#include <mutex>

namespace tfr {

/// Pages that nobody uses at the moment, of all threads: a few MiB at most. The
/// next file is read into the pages of the one before, which the kernel neither
/// has to bring nor to clear.
class SparePages {
 public:
  /// Never more than this is kept.
  static constexpr size_t kMostBytes = size_t{4} << 20;

  /// Memory of just `size` bytes, which has old content; nullptr when there is
  /// none.
  void* Take(size_t size);

  struct Pages {
    void* data = nullptr;
    size_t size = 0;
  };
  static constexpr size_t kMost = 32;

  /// Keeps `pages`, instead of older ones if need be. What has to go is written
  /// to `gone`; its number is returned.
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
