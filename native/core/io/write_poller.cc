#include "core/io/write_poller.h"

#if !defined(_WIN32)

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <new>
#include <utility>

#include "core/base/detached_thread.h"

namespace tfr {
namespace {

/// Interval for checking tokens, and for retrying writes without a descriptor
/// to poll.
constexpr int kTickMilliseconds = 20;
/// How long the thread stays without waiters: a busy pipe fills up again at
/// once.
constexpr int kLingerMilliseconds = 1000;

struct pollfd Readable(int fd) { return {fd, POLLIN, 0}; }
struct pollfd Writable(int fd) { return {fd, POLLOUT, 0}; }

/// Opens a pipe whose ends do not block and are not inherited by child
/// processes.
bool OpenPipe(int* read_end, int* write_end) {
  int ends[2];
#if defined(__APPLE__)
  if (pipe(ends) != 0) return false;
  for (const int fd : ends) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
  }
#else
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
#endif
  *read_end = ends[0];
  *write_end = ends[1];
  return true;
}

/// Polls, and never returns at once without an event. Marks descriptors that
/// cannot be polled with POLLNVAL: some devices, and all of them when there are
/// more than the system accepts.
void Poll(std::vector<struct pollfd>* polled, int milliseconds) {
  const auto count = static_cast<nfds_t>(polled->size());
  if (poll(polled->data(), count, milliseconds) >= 0 || errno == EINTR) return;
  poll(nullptr, 0, kTickMilliseconds);
  for (struct pollfd& each : *polled) each.revents = POLLNVAL;
}

}  // namespace

WritePoller& WritePoller::Shared() {
  // Never destroyed, like the thread pool.
  static WritePoller* const poller = new WritePoller;
  return *poller;
}

bool WritePoller::Start() {
  if (running_) return true;
  if (wake_read_ < 0 && !OpenPipe(&wake_read_, &wake_write_)) return false;
  const auto work = [](void* poller) {
    static_cast<WritePoller*>(poller)->Work();
  };
  return running_ = StartDetachedThread(work, this);
}

void WritePoller::Wait(int fd, const CancelToken& cancel,
                       const std::function<void()>& ready) {
  if (Add(fd, cancel, ready)) return;
  struct pollfd polled = Writable(fd);
  poll(&polled, 1, kTickMilliseconds);
  ready();
}

/// Returns false when no thread starts, or memory or descriptors run out.
bool WritePoller::Add(int fd, const CancelToken& cancel,
                      const std::function<void()>& ready) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!Start()) return false;
  const auto due = Clock::now() + std::chrono::milliseconds(kTickMilliseconds);
  try {
    waiters_.push_back({fd, &cancel, ready, due, false});
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (!std::exchange(woken_, true)) {
    const uint8_t byte = 0;
    static_cast<void>(!write(wake_write_, &byte, 1));
  }
  return true;
}

void WritePoller::Work() {
  std::vector<struct pollfd> polled;
  std::unique_lock<std::mutex> lock(mutex_);
  for (bool idle = false;;) {
    if (waiters_.empty() && idle) break;
    idle = waiters_.empty();
    polled.clear();
    try {
      polled.push_back(Readable(wake_read_));
      for (const Waiter& waiter : waiters_) {
        polled.push_back(Writable(waiter.fd));
      }
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
      // Waiters missing from `polled` wait until they are due, like files that
      // cannot be polled.
    }
    lock.unlock();
    Poll(&polled, idle ? kLingerMilliseconds : kTickMilliseconds);
    lock.lock();
    if (woken_) {
      uint8_t byte;
      static_cast<void>(!read(wake_read_, &byte, 1));
      woken_ = false;
    }
    MarkReady(polled);
    for (;;) {
      const auto found =
          std::find_if(waiters_.begin(), waiters_.end(),
                       [](const Waiter& waiter) { return waiter.marked; });
      if (found == waiters_.end()) break;
      const Waiter waiter = std::move(*found);
      waiters_.erase(found);
      lock.unlock();
      waiter.ready();
      lock.lock();
    }
  }
  running_ = false;
}

void WritePoller::MarkReady(const std::vector<struct pollfd>& polled) {
  const auto now = Clock::now();
  for (size_t i = 0; i < waiters_.size(); ++i) {
    Waiter& waiter = waiters_[i];
    // Later waiters arrived during the poll, or memory ran out for them.
    const bool was_polled = i + 1 < polled.size();
    const int events = was_polled ? polled[i + 1].revents : 0;
    // Polling it again would end the next wait at once.
    if ((events & POLLNVAL) != 0) waiter.fd = -1;
    waiter.marked =
        waiter.cancel->cancelled() ||
        (waiter.fd < 0 || !was_polled ? now >= waiter.due : events != 0);
  }
}

}  // namespace tfr

#endif  // !_WIN32
