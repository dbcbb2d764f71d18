#ifndef TFR_ADDON_JOB_H_
#define TFR_ADDON_JOB_H_

#include "addon/napi_setup.h"
#include "core/base/linked_queue.h"

namespace tfr::addon {

/// One piece of background work that settles one promise. Made on the
/// JavaScript thread by `EnvState::Begin`, worked on by any threads, handed
/// back with `EnvState::Done`, finished and deleted on the JavaScript thread.
/// When the environment ends first, it is deleted without `Finish`.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// JavaScript thread: the value that the promise resolves with.
  virtual Napi::Value Finish(Napi::Env env) = 0;

 private:
  friend class EnvState;
  friend class LinkedQueue<Job>;
  Job* next = nullptr;
  napi_deferred deferred_ = nullptr;
  /// Keeps the slab alive while threads write to it.
  napi_ref kept_ = nullptr;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_JOB_H_
