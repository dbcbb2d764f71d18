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

/// Waits for pipes to take more, for all writers of the process on one thread
/// of its own, so that no thread of the pool is held by a pipe that nobody
/// reads. The thread starts with the first wait and ends when nothing has
/// waited for a while. Like the pool, it is simply gone at process exit and
/// has no destructor: a wait belongs to somebody who is waited for.
class WritePoller {
 public:
  static WritePoller& Shared();

  /// Calls `ready` once, soon after one of these: `fd` can be written or has
  /// failed; `cancel` was cancelled; where `fd` is -1 or of a kind that cannot
  /// be waited for, some milliseconds have passed. `ready` runs on the poller's
  /// thread and must only hand work over. `fd` stays open and `cancel` valid
  /// until then (`ready` may own it). When no thread starts, or descriptors or
  /// memory have run out, the calling thread waits, for those milliseconds.
  void Wait(int fd, const CancelToken& cancel,
            const std::function<void()>& ready);

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiter {
    int fd;
    const CancelToken* cancel;
    std::function<void()> ready;
    /// When it is ready if it cannot be polled.
    Clock::time_point due;
    /// It waits no longer.
    bool marked;
  };

  WritePoller() = default;
  ~WritePoller() = delete;
  /// With the lock held.
  bool Start();
  bool Add(int fd, const CancelToken& cancel,
           const std::function<void()>& ready);
  void Work();
  /// Marks those that wait no longer; `polled` begins with the wake-up pipe and
  /// goes on with the first waiters, in order. With the lock held.
  void MarkReady(const std::vector<struct pollfd>& polled);

  std::mutex mutex_;
  std::vector<Waiter> waiters_;
  bool running_ = false;
  /// A byte is in the wake-up pipe.
  bool woken_ = false;
  int wake_read_ = -1;
  int wake_write_ = -1;
};

}  // namespace tfr

#endif  // !_WIN32

#endif  // TFR_CORE_IO_WRITE_POLLER_H_
