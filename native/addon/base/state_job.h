#ifndef TFR_ADDON_BASE_STATE_JOB_H_
#define TFR_ADDON_BASE_STATE_JOB_H_

#include <atomic>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/handle.h"
#include "addon/base/napi_setup.h"
#include "addon/base/properties.h"
#include "core/base/thread_pool.h"

namespace tfr::addon {

/// State behind a handle that the JavaScript thread or one job at a time uses.
/// A derived class `S` declares `kTag`, as for `NewHandle`, and `static
/// constexpr const char* kBusy`, the message for use while a job is at work.
struct JobState {
  void Abandon() {}

  bool busy = false;
};

/// Returns the state behind `handle`. Throws while a job uses it.
template <class S>
std::shared_ptr<S> IdleState(const Napi::Value& handle) {
  std::shared_ptr<S> state = GetHandle<S>(handle);
  if (state->busy) throw Napi::Error::New(handle.Env(), S::kBusy);
  return state;
}

/// Work on states on a pool thread. Nobody else uses them until `Finish`.
template <class S>
class StateJob : public Job, public ThreadPool::Task {
 public:
  void Submit() { ThreadPool::Shared().Submit(this); }

  void Run() noexcept override {
    try {
      Work();
    } catch (const std::bad_alloc&) {
      lacks_memory_ = true;
    }
    env_->Done(this);
  }

  Napi::Value Finish(Napi::Env env) override {
    for (const auto& state : states_) state->busy = false;
    return Result(env);
  }

 protected:
  StateJob(EnvState* env, std::initializer_list<std::shared_ptr<S>> states)
      : env_(env), states_(states) {
    for (const auto& state : states_) state->busy = true;
  }

  /// Pool thread. May throw `std::bad_alloc`.
  virtual void Work() = 0;
  /// JavaScript thread: returns the value that the promise resolves with.
  virtual Napi::Value Result(Napi::Env env) = 0;

  /// The state with this place in the list.
  S& state(size_t index = 0) const { return *states_[index]; }
  /// True if `Work` threw.
  bool lacks_memory() const { return lacks_memory_; }
  /// True if the environment ends: nobody will use the result.
  bool closing() const {
    return env_->closing()->load(std::memory_order_relaxed);
  }

 private:
  EnvState* const env_;
  const std::vector<std::shared_ptr<S>> states_;
  bool lacks_memory_ = false;
};

/// Begins `job`. The arrays in `kept`, whose memory it uses, stay alive until
/// its promise settles.
template <class T>
Napi::Value BeginJob(Napi::Env env, std::unique_ptr<T> job,
                     std::initializer_list<Napi::Value> kept = {}) {
  Napi::Value list;
  if (kept.size() > 0) {
    Napi::Array array = Napi::Array::New(env);
    uint32_t i = 0;
    for (const Napi::Value& value : kept) {
      array.DefineProperty(Element(env, i++, value));
    }
    list = array;
  }
  const Napi::Value promise = EnvState::Get(env)->Begin(env, job.get(), list);
  job.release()->Submit();
  return promise;
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_BASE_STATE_JOB_H_
