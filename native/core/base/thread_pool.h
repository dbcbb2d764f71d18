#ifndef TFR_CORE_BASE_THREAD_POOL_H_
#define TFR_CORE_BASE_THREAD_POOL_H_

#include <mutex>

#include "core/base/condition.h"
#include "core/base/linked_queue.h"

namespace tfr {

/// The process's worker threads: one pool for all environments (the main thread
/// and `worker_threads`), so that many readers share the cores instead of
/// competing for them.
///
/// Tasks start in submission order, on any thread. A task must not wait for
/// JavaScript, nor for another task unless that one has started and waits for
/// nothing. Threads start with the first `Submit` and never end: process exit
/// simply kills them. The pool therefore has no destructor, and a task may
/// touch only memory that it owns, or whose owner waits for the task (see
/// addon/base/env_state.h).
class ThreadPool {
 public:
  /// Work for the pool. It carries the queue's link, so submitting it allocates
  /// nothing and cannot fail, not even in the middle of a state change. It must
  /// stay alive until `Run` is called, and may be submitted again only after
  /// `Run` was called.
  class Task {
   public:
    /// The pool does not touch the task after it calls `Run`. Must not throw: a
    /// task reports lack of memory to whoever waits for it.
    virtual void Run() noexcept = 0;

    Task* next = nullptr;

   protected:
    ~Task() = default;
  };

  /// The shared pool.
  static ThreadPool& Shared();

  /// Maximum number of threads: one per core, at least 2, at most 64.
  int size() const { return size_; }

  /// Starts the first thread if none runs. Returns false when the system
  /// refuses to start one; nothing may be submitted then. (A pool of fewer
  /// threads than `size` works.)
  [[nodiscard]] bool Ready();

  void Submit(Task* task);

 private:
  ThreadPool();
  ~ThreadPool() = delete;
  bool StartThread();
  void Work();

  const int size_;
  std::mutex mutex_;
  Condition ready_;
  LinkedQueue<Task> tasks_;
  int waiting_ = 0;
  int started_ = 0;
  int idle_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_THREAD_POOL_H_
