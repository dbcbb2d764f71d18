#ifndef TFR_CORE_BASE_CANCEL_H_
#define TFR_CORE_BASE_CANCEL_H_

#include <atomic>
#include <memory>
#include <utility>

namespace tfr {

/// Asks background work to stop. Work polls `cancelled()` at least every 1 MiB
/// that it reads, inflates or writes; one record's checksum and one block's
/// compression are single steps. The parent flag stops all work of one
/// environment.
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
