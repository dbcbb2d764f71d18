#ifndef TFR_CORE_BASE_THREAD_POOL_H_
#define TFR_CORE_BASE_THREAD_POOL_H_

#include <mutex>

#include "core/base/condition.h"
#include "core/base/linked_queue.h"

namespace tfr {

/// The process's worker threads: one pool for all environments (main thread and
/// `worker_threads`), so that many readers share the cores instead of fighting
/// for them.
///
/// Tasks run in the order in which they were submitted, on any thread. A task
/// must not wait for JavaScript, nor for another task, unless that one has
/// begun and waits for nobody. Threads start on the first `Submit` and never
/// end: at process exit they are simply gone, so the pool has no destructor and
/// a task may touch only memory that is its own, or that somebody waits for
/// (see addon/env_state.h).
class ThreadPool {
 public:
  /// Work for the pool. It carries the pool's link to it, so that handing it
  /// over takes no memory and cannot fail, not even in the middle of a change
  /// of state. It stays where it is until `Run` was called, and is submitted
  /// again only behind that.
  class Task {
   public:
    /// The pool does not touch the task again. Throws nothing: lack of memory
    /// goes to whoever waits for the work.
    virtual void Run() noexcept = 0;

    Task* next = nullptr;

   protected:
    ~Task() = default;
  };

  /// The shared pool.
  static ThreadPool& Shared();

  /// Number of threads: one a core, at least 2, at most 64.
  int size() const { return size_; }

  /// Starts a first thread if none runs. False when the system lets none start:
  /// then nothing may be submitted. (Fewer threads than `size` will do.)
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
