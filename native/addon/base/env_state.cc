#include "addon/base/env_state.h"

#include <cerrno>

#include "addon/base/errors.h"
#include "core/base/thread_pool.h"

namespace tfr::addon {

EnvState* EnvState::Create(Napi::Env env) {
  auto* self = new EnvState;
  const Napi::String name = Napi::String::New(env, "tfrecord");
  napi_status status = napi_create_threadsafe_function(
      env, nullptr, nullptr, name, /*max_queue_size=*/0,
      /*initial_thread_count=*/1, nullptr, nullptr, self, OnWake, &self->wake_);
  if (status == napi_ok) {
    // An idle addon must not keep the process alive.
    status = napi_unref_threadsafe_function(env, self->wake_);
  }
  if (status == napi_ok) {
    // Hooks run in reverse order, so this one precedes the clean-up of the
    // thread-safe function.
    status = napi_add_env_cleanup_hook(env, OnTeardown, self);
  }
  if (status != napi_ok) {
    delete self;
    throw Napi::Error::New(env, "tfrecord: the environment is closing");
  }
  env.SetInstanceData<EnvState, Finalize>(self);
  return self;
}

void EnvState::Finalize(Napi::Env, EnvState* self) { delete self; }

Napi::Value EnvState::Begin(Napi::Env env, Job* job, Napi::Value kept) {
  napi_value promise;
  if (napi_create_promise(env, &job->deferred_, &promise) != napi_ok) {
    throw Napi::Error::New(env);
  }
  if (!kept.IsEmpty() &&
      napi_create_reference(env, kept, 1, &job->kept_) != napi_ok) {
    throw Napi::Error::New(env);
  }
  if (pending_++ == 0) napi_ref_threadsafe_function(env, wake_);
  std::lock_guard<std::mutex> lock(mutex_);
  ++away_;
  return {env, promise};
}

void EnvState::Done(Job* job) {
  // The call stays under the lock: teardown takes the lock to see that all jobs
  // were returned, so the thread-safe function cannot go away in between.
  std::lock_guard<std::mutex> lock(mutex_);
  done_.Push(job);
  if (!woken_ && !closing_->load(std::memory_order_relaxed)) {
    woken_ = napi_call_threadsafe_function(wake_, nullptr,
                                           napi_tsfn_nonblocking) == napi_ok;
  }
  if (--away_ == 0) returned_.NotifyAll();
}

void EnvState::OnWake(napi_env env, napi_value, void* context, void*) {
  // Null while the environment shuts down: the clean-up hook then drops the
  // jobs.
  if (env != nullptr) static_cast<EnvState*>(context)->Drain(env);
}

void EnvState::Drain(napi_env raw_env) {
  LinkedQueue<Job> jobs;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    jobs = done_.TakeAll();
    woken_ = false;
  }
  const Napi::Env env(raw_env);
  while (Job* const job = jobs.Pop()) {
    Settle(env, job);
    delete job;
    if (--pending_ == 0) napi_unref_threadsafe_function(env, wake_);
  }
}

void EnvState::Settle(Napi::Env env, Job* job) {
  // Errors must not propagate: in a terminating worker any of these calls can
  // fail, and then nothing waits for the promise.
  Napi::HandleScope scope(env);
  try {
    const Napi::Value value = Guarded(env, [&] { return job->Finish(env); });
    napi_resolve_deferred(env, job->deferred_, value);
  } catch (const Napi::Error& error) {
    napi_reject_deferred(env, job->deferred_, error.Value());
  }
  if (job->kept_ != nullptr) napi_delete_reference(env, job->kept_);
}

void EnvState::OnTeardown(void* data) {
  auto* self = static_cast<EnvState*>(data);
  self->closing_->store(true);
  LinkedQueue<Job> jobs;
  {
    std::unique_lock<std::mutex> lock(self->mutex_);
    while (self->away_ != 0) self->returned_.Wait(lock);
    jobs = self->done_.TakeAll();
  }
  // The environment frees their references and promises.
  while (Job* const job = jobs.Pop()) delete job;
  napi_release_threadsafe_function(self->wake_, napi_tsfn_abort);
}

void NeedThreads(Napi::Env env) {
  if (ThreadPool::Shared().Ready()) return;
  throw SystemError(env, EAGAIN, "pthread_create");
}

}  // namespace tfr::addon
