#include "core/base/thread_pool.h"

#include <algorithm>
#include <thread>

#include "core/base/detached_thread.h"

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

void ThreadPool::Submit(Task* task) {
  bool started = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.Push(task);
    ++waiting_;
    started = idle_ < waiting_ && started_ < size_ && StartThread();
  }
  // Notifying after the unlock lets the woken thread take the lock at once.
  if (!started) ready_.NotifyOne();
}

/// Requires the lock.
bool ThreadPool::StartThread() {
  const auto work = [](void* pool) { static_cast<ThreadPool*>(pool)->Work(); };
  if (!StartDetachedThread(work, this)) return false;
  ++started_;
  return true;
}

void ThreadPool::Work() {
  for (;;) {
    Task* task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      ++idle_;
      while (tasks_.empty()) ready_.Wait(lock);
      --idle_;
      task = tasks_.Pop();
      --waiting_;
    }
    task->Run();
  }
}

}  // namespace tfr
