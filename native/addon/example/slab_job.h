#ifndef TFR_ADDON_EXAMPLE_SLAB_JOB_H_
#define TFR_ADDON_EXAMPLE_SLAB_JOB_H_

#include <memory>
#include <utility>

#include "addon/base/env_state.h"
#include "addon/base/handle.h"
#include "addon/base/napi_setup.h"
#include "addon/base/state_job.h"
#include "addon/slab_frames.h"

namespace tfr::addon {

/// Begins a job of type `T` on a state of type `S` with the frames of a slab.
/// Arguments of JavaScript: the handle, the slab, its frames, and the numbers
/// of the first of them and of the one after the last.
template <class T, class S>
Napi::Value BeginSlabJob(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  std::shared_ptr<S> state = IdleState<S>(info[0]);
  const ByteSpan slab = GetBytes(info[1]);
  const size_t begin = info[3].As<Napi::Number>().Uint32Value();
  const size_t end = info[4].As<Napi::Number>().Uint32Value();
  const Frame* const frames = FramesOf(info[2], slab, begin, end);
  return BeginJob(env,
                  std::make_unique<T>(EnvState::Get(env), std::move(state),
                                      slab.data, frames, end - begin),
                  {info[1], info[2]});
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_EXAMPLE_SLAB_JOB_H_
