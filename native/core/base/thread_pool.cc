#include "core/base/thread_pool.h"

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

void ThreadPool::Submit(std::function<void()> task) {
  bool start = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    if (static_cast<size_t>(idle_) < tasks_.size() && started_ < size_) {
      ++started_;
      start = true;
    }
  }
  if (start) {
    std::thread([this] { Work(); }).detach();
  } else {
    ready_.NotifyOne();
  }
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
