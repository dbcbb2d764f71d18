#ifndef TFR_CORE_CONTENT_AHEAD_AHEAD_TASKS_H_
#define TFR_CORE_CONTENT_AHEAD_AHEAD_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tfr {

/// Inflating that threads of the shared pool do ahead of a reader, and that the
/// reader does itself where no thread is free.
///
/// Used by one thread at a time. Nothing has to wait for tasks that are left
/// over: a task touches only what it holds.
class AheadTasks {
 public:
  /// Upper limit of tasks under way.
  static constexpr int kMost = 8;

  class Task {
   public:
    virtual ~Task() = default;
    /// Called once each time the task is queued, by any thread. Returns true if
    /// its result is right.
    virtual bool Inflate() = 0;

   private:
    friend class AheadTasks;
    enum class State : uint8_t { kQueued, kRunning, kRight, kWrong };
    /// Guarded by the queue's mutex.
    State state_ = State::kQueued;
  };

  AheadTasks();
  /// Drops the queued tasks.
  ~AheadTasks();

  /// Number of tasks that are worth having under way: one a thread, and one
  /// that a thread can take while the reader hands out the content of another.
  static size_t reach();

  void Queue(std::shared_ptr<Task> task);
  /// Calls one more thread to do a queued task.
  void CallHelper();
  /// Waits until `task`, which was queued, is done, doing queued tasks
  /// meanwhile. Returns its result.
  bool Finish(Task* task);
  void DropQueued();

 private:
  struct Shared;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_AHEAD_AHEAD_TASKS_H_
