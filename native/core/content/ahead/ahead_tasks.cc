#include "core/content/ahead/ahead_tasks.h"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <utility>

#include "core/base/condition.h"
#include "core/base/thread_pool.h"

namespace tfr {

struct AheadTasks::Shared {
  /// Runs one queued task on a pool thread.
  struct Helper final : ThreadPool::Task {
    void Run() noexcept override {
      const std::shared_ptr<Shared> held = std::move(shared);
      {
        std::lock_guard<std::mutex> lock(held->mutex);
        submitted = false;
      }
      held->RunOne();
    }

    std::shared_ptr<Shared> shared;
    /// Guarded by the queue's mutex.
    bool submitted = false;
  };

  /// Runs the first queued task. Returns false if there is none.
  bool RunOne() {
    std::shared_ptr<AheadTasks::Task> task;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (waiting.empty()) return false;
      task = std::move(waiting.front());
      waiting.pop_front();
      task->state_ = AheadTasks::Task::State::kRunning;
    }
    const bool right = task->Inflate();
    std::lock_guard<std::mutex> lock(mutex);
    task->state_ = right ? AheadTasks::Task::State::kRight
                         : AheadTasks::Task::State::kWrong;
    changed.NotifyAll();
    return true;
  }

  std::mutex mutex;
  Condition changed;
  std::deque<std::shared_ptr<AheadTasks::Task>> waiting;
  std::array<Helper, kMost> helpers;
};

AheadTasks::AheadTasks() : shared_(std::make_shared<Shared>()) {}

AheadTasks::~AheadTasks() { DropQueued(); }

size_t AheadTasks::reach() {
  return static_cast<size_t>(std::min(ThreadPool::Shared().size() + 1, kMost));
}

void AheadTasks::Queue(std::shared_ptr<Task> task) {
  std::lock_guard<std::mutex> lock(shared_->mutex);
  task->state_ = Task::State::kQueued;
  shared_->waiting.push_back(std::move(task));
}

void AheadTasks::CallHelper() {
  for (Shared::Helper& helper : shared_->helpers) {
    {
      std::lock_guard<std::mutex> lock(shared_->mutex);
      if (std::exchange(helper.submitted, true)) continue;
    }
    helper.shared = shared_;
    return ThreadPool::Shared().Submit(&helper);
  }
}

bool AheadTasks::Finish(Task* task) {
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(shared_->mutex);
      // A running task waits for nothing, so waiting for it cannot deadlock.
      while (task->state_ == Task::State::kRunning &&
             shared_->waiting.empty()) {
        shared_->changed.Wait(lock);
      }
      if (task->state_ == Task::State::kRight) return true;
      if (task->state_ == Task::State::kWrong) return false;
    }
    shared_->RunOne();
  }
}

void AheadTasks::DropQueued() {
  std::lock_guard<std::mutex> lock(shared_->mutex);
  shared_->waiting.clear();
}

}  // namespace tfr
