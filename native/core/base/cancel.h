#ifndef TFR_CORE_BASE_CANCEL_H_
#define TFR_CORE_BASE_CANCEL_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace tfr {

/// Bytes that a task may read, inflate, checksum or write before it checks its
/// token again: about 10 ms of work at most. (Whole gzip members and walked
/// records are larger steps: see GzipMember, AheadLimits and ReadWalked.)
inline constexpr size_t kPollBytes = size_t{256} << 10;

/// Requests that background work stop. Work polls `cancelled()` every
/// `kPollBytes`. The parent flag stops all work of one environment.
class CancelToken {
 public:
  using Flag = std::atomic<bool>;

  CancelToken() = default;
  explicit CancelToken(std::shared_ptr<const Flag> parent)
      : parent_(std::move(parent)) {}
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  void Cancel() { own_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    return own_.load(std::memory_order_relaxed) ||
           (parent_ && parent_->load(std::memory_order_relaxed));
  }

 private:
  Flag own_{false};
  const std::shared_ptr<const Flag> parent_;
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_CANCEL_H_
