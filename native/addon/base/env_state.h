#ifndef TFR_ADDON_BASE_ENV_STATE_H_
#define TFR_ADDON_BASE_ENV_STATE_H_

#include <atomic>
#include <memory>
#include <mutex>

#include "addon/base/napi_setup.h"
#include "core/base/condition.h"
#include "core/base/linked_queue.h"

namespace tfr::addon {

/// A unit of background work that settles one promise. `EnvState::Begin`
/// registers it on the JavaScript thread, any threads work on it,
/// `EnvState::Done` returns it, and the JavaScript thread finishes and deletes
/// it. If the environment ends first, it is deleted without `Finish`.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// JavaScript thread: returns the value that the promise resolves with.
  virtual Napi::Value Finish(Napi::Env env) = 0;

 private:
  friend class EnvState;
  friend class LinkedQueue<Job>;
  Job* next = nullptr;
  napi_deferred deferred_ = nullptr;
  /// Keeps memory alive that threads use.
  napi_ref kept_ = nullptr;
};

/// The addon's state for one environment (the main thread or one worker): the
/// way back from pool threads to its JavaScript thread, and the number of jobs
/// that threads still hold.
///
/// Teardown: the clean-up hook raises the closing flag, waits until every job
/// was returned, and deletes the jobs. From then on no thread touches this
/// environment or its memory, and the environment may free both.
class EnvState {
 public:
  /// JavaScript thread; call once per environment. Throws Napi::Error.
  static EnvState* Create(Napi::Env env);
  static EnvState* Get(Napi::Env env) {
    return env.GetInstanceData<EnvState>();
  }

  EnvState(const EnvState&) = delete;
  EnvState& operator=(const EnvState&) = delete;

  /// Raised when the environment ends; parent of every CancelToken.
  const std::shared_ptr<std::atomic<bool>>& closing() const { return closing_; }

  /// JavaScript thread: creates the job's promise; `kept` (may be empty) stays
  /// alive until the job is finished. The caller then hands the job to threads,
  /// one of which must call `Done`.
  Napi::Value Begin(Napi::Env env, Job* job, Napi::Value kept);

  /// Any thread; must be the last use of the job. Wakes the JavaScript thread,
  /// once for many jobs.
  void Done(Job* job);

 private:
  EnvState() : closing_(std::make_shared<std::atomic<bool>>(false)) {}
  ~EnvState() = default;

  static void OnWake(napi_env env, napi_value callback, void* context,
                     void* data);
  static void OnTeardown(void* self);
  static void Finalize(Napi::Env env, EnvState* self);
  void Drain(napi_env env);
  void Settle(Napi::Env env, Job* job);

  napi_threadsafe_function wake_ = nullptr;
  const std::shared_ptr<std::atomic<bool>> closing_;
  /// Jobs begun and not finished; JavaScript thread only.
  size_t pending_ = 0;

  std::mutex mutex_;
  Condition returned_;
  LinkedQueue<Job> done_;
  /// Jobs that threads hold.
  size_t away_ = 0;
  bool woken_ = false;
};

/// Throws EAGAIN if the system refuses to start even one pool thread.
void NeedThreads(Napi::Env env);

}  // namespace tfr::addon

#endif  // TFR_ADDON_BASE_ENV_STATE_H_
