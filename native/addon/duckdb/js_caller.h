#ifndef TFR_ADDON_DUCKDB_JS_CALLER_H_
#define TFR_ADDON_DUCKDB_JS_CALLER_H_

#include <functional>
#include <memory>

#include "addon/base/napi_setup.h"

namespace tfr::addon {

/// Lets any thread run code on the JavaScript thread of one environment, and
/// wait for it. It may be destroyed on any thread, also after the environment.
class JsCaller {
 public:
  using Call = std::function<void(Napi::Env)>;

  /// JavaScript thread. `ended` is called on that thread, at most twice, when
  /// the environment ends.
  explicit JsCaller(Napi::Env env, std::function<void()> ended = nullptr);
  JsCaller(const JsCaller&) = delete;
  JsCaller& operator=(const JsCaller&) = delete;
  ~JsCaller();

  /// Runs `call` and returns when it is done. Returns false if the environment
  /// has ended, or ends before it runs, or if `call` throws.
  [[nodiscard]] bool Run(const Call& call);
  /// Runs `call`, which must not throw, some time later, unless the environment
  /// ends first.
  void Post(Call call);

  /// JavaScript thread: ends the calls of all callers of `env`, as its end
  /// does. Node's main thread exits without the end of its environment, and
  /// waits for threads that may wait here.
  static void EndAll(Napi::Env env);

 private:
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_DUCKDB_JS_CALLER_H_
