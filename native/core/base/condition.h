#ifndef TFR_CORE_BASE_CONDITION_H_
#define TFR_CORE_BASE_CONDITION_H_

#if defined(__linux__)
#include <pthread.h>
#else
#include <condition_variable>
#endif

#include <mutex>

namespace tfr {

/// A condition variable for `std::mutex`. On Linux it calls pthreads directly:
/// `std::condition_variable::wait` of g++ 12 needs GLIBCXX_3.4.30, which Ubuntu
/// 22.04 and RHEL 9 do not promise.
class Condition {
 public:
  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

#if defined(__linux__)
  void Wait(std::unique_lock<std::mutex>& lock) {
    pthread_cond_wait(&condition_, lock.mutex()->native_handle());
  }
  void NotifyOne() { pthread_cond_signal(&condition_); }
  void NotifyAll() { pthread_cond_broadcast(&condition_); }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
#else
  void Wait(std::unique_lock<std::mutex>& lock) { condition_.wait(lock); }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
#endif
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_CONDITION_H_
