#include "core/base/thread_pool.h"

#include "core/base/detached_thread.h"
#include "core/base/linked_queue.h"
#include "wasm/exports.h"
#include "wasm/tasks.h"

// The pool of a system without threads: tasks wait until JavaScript gives them
// a turn.
namespace tfr {
namespace {

LinkedQueue<ThreadPool::Task> tasks;

}  // namespace

ThreadPool::ThreadPool() : size_(1) {}

ThreadPool& ThreadPool::Shared() {
  static auto* const pool = new ThreadPool;
  return *pool;
}

bool ThreadPool::Ready() { return true; }

void ThreadPool::Submit(Task* task) { tasks.Push(task); }

bool StartDetachedThread(void (* /*work*/)(void*), void* /*argument*/) {
  return false;
}

namespace wasm {

bool RunTask() {
  ThreadPool::Task* const task = tasks.Pop();
  if (task == nullptr) return false;
  task->Run();
  return true;
}

/// Runs one task. Returns whether more are waiting.
TFR_EXPORT(tfr_run)
bool tfr_run() { return RunTask() && !tasks.empty(); }

}  // namespace wasm
}  // namespace tfr
