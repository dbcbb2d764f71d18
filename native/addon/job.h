#ifndef TFR_ADDON_JOB_H_
#define TFR_ADDON_JOB_H_

#include "addon/napi_setup.h"
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

}  // namespace tfr::addon

#endif  // TFR_ADDON_JOB_H_
