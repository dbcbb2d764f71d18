#include "core/base/thread_pool.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include <algorithm>
#include <thread>
#include <utility>

namespace tfr {

ThreadPool& ThreadPool::Shared() {
  // Leaked on purpose: a static destructor would tear the condition down under
  // the threads that wait on it, and hang process exit.
  static ThreadPool* const pool = new ThreadPool;
  return *pool;
}

ThreadPool::ThreadPool()
    : size_(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2,
                       64)) {}

bool ThreadPool::Ready() {
  std::lock_guard<std::mutex> lock(mutex_);
  return started_ > 0 || StartThread();
}

void ThreadPool::Submit(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(mutex_);
  tasks_.push_back(std::move(task));
  const bool busy = static_cast<size_t>(idle_) < tasks_.size();
  if (!busy || started_ == size_ || !StartThread()) ready_.NotifyOne();
}

/// With the lock held.
bool ThreadPool::StartThread() {
#if defined(_WIN32)
  std::thread([this] { Work(); }).detach();
#else
  // `std::thread` would throw, and so abort, where the system says no: in a
  // container with a limit of processes.
  pthread_t thread;
  const auto work = [](void* pool) -> void* {
    static_cast<ThreadPool*>(pool)->Work();
    return nullptr;
  };
  if (pthread_create(&thread, nullptr, work, this) != 0) return false;
  pthread_detach(thread);
#endif
  ++started_;
  return true;
}

void ThreadPool::Work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      ++idle_;
      while (tasks_.empty()) ready_.Wait(lock);
      --idle_;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace tfr
