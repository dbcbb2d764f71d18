#ifndef TFR_CORE_IO_WRITE_POLLER_H_
#define TFR_CORE_IO_WRITE_POLLER_H_

#if !defined(_WIN32)

#include <poll.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include "core/base/cancel.h"

namespace tfr {

/// Waits until pipes accept more bytes, for all writers of the process on one
/// thread of its own, so that a pipe without a reader holds no pool thread. The
/// thread starts with the first wait and ends after an idle period. Like the
/// thread pool, the poller has no destructor: process exit kills the thread.
/// Each wait belongs to a job that the end of its environment waits for.
class WritePoller {
 public:
  static WritePoller& Shared();

  /// Calls `ready` once, soon after `fd` became writable or failed, or `cancel`
  /// was cancelled, or, if `fd` is -1 or cannot be polled, after some
  /// milliseconds. `ready` runs on the poller's thread and must only hand work
  /// over. `fd` must stay open and `cancel` valid until then (`ready` may own
  /// it). If no thread starts, or descriptors or memory run out, the calling
  /// thread itself waits for those milliseconds.
  void Wait(int fd, const CancelToken& cancel,
            const std::function<void()>& ready);

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiter {
    int fd;
    const CancelToken* cancel;
    std::function<void()> ready;
    /// Time at which a waiter that cannot be polled becomes ready.
    Clock::time_point due;
    /// The waiter is ready.
    bool marked;
  };

  WritePoller() = default;
  ~WritePoller() = delete;
  /// Requires the lock.
  bool Start();
  bool Add(int fd, const CancelToken& cancel,
           const std::function<void()>& ready);
  void Work();
  /// Marks the waiters that are ready. `polled` holds the wake-up pipe, then
  /// the first waiters in order. Requires the lock.
  void MarkReady(const std::vector<struct pollfd>& polled);

  std::mutex mutex_;
  std::vector<Waiter> waiters_;
  bool running_ = false;
  /// The wake-up pipe holds a byte.
  bool woken_ = false;
  int wake_read_ = -1;
  int wake_write_ = -1;
};

}  // namespace tfr

#endif  // !_WIN32

#endif  // TFR_CORE_IO_WRITE_POLLER_H_
