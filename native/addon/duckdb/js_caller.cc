#include "addon/duckdb/js_caller.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/condition.h"

namespace tfr::addon {

/// Outlives the environment as long as a thread may call it, and the caller as
/// long as the thread-safe function exists.
class JsCaller::State {
 public:
  /// `holder`: the share of the thread-safe function.
  static std::shared_ptr<State> Create(Napi::Env env,
                                       std::function<void()> ended) {
    auto state = std::make_shared<State>();
    state->env_ = env;
    state->ended_call_ = std::move(ended);
    auto holder = std::make_unique<std::shared_ptr<State>>(state);
    const Napi::String name = Napi::String::New(env, "tfrecord.duckdb");
    if (napi_create_threadsafe_function(
            env, nullptr, nullptr, name, /*max_queue_size=*/0,
            /*initial_thread_count=*/1, holder.get(), OnFinalize, state.get(),
            OnWake, &state->wake_) != napi_ok) {
      throw Napi::Error::New(env, "tfrecord: the environment is closing");
    }
    State* const self = holder.release()->get();
    // A function that no query uses must not keep the process alive; while one
    // is used, DuckDB's package does.
    (void)napi_unref_threadsafe_function(env, self->wake_);
    // Hooks run in reverse order, so this one precedes the clean-up of the
    // thread-safe function, and DuckDB's, which may wait for queries.
    (void)napi_add_env_cleanup_hook(env, OnTeardown, self);
    const std::lock_guard<std::mutex> lock(all().mutex);
    all().states.push_back(self);
    return state;
  }

  State() : thread_(std::this_thread::get_id()) {}
  ~State() {
    const std::lock_guard<std::mutex> lock(all().mutex);
    std::vector<State*>& states = all().states;
    states.erase(std::remove(states.begin(), states.end(), this), states.end());
  }

  static void EndAll(Napi::Env env) {
    const std::lock_guard<std::mutex> lock(all().mutex);
    for (State* const each : all().states) {
      if (each->env_ == env) each->EndWithEnv();
    }
  }

  bool Run(const Call& call) {
    // The thread would wait for itself. It is in a call of DuckDB, from
    // JavaScript.
    if (std::this_thread::get_id() == thread_) return RunHere(call);
    Task task;
    task.call = &call;
    std::unique_lock<std::mutex> lock(mutex_);
    if (!Push(&task)) return false;
    while (!task.done) answered_.Wait(lock);
    return task.answered;
  }

  void Post(Call call) {
    auto task = std::make_unique<Task>();
    task->own = std::move(call);
    const std::lock_guard<std::mutex> lock(mutex_);
    Task* owned = nullptr;
    if (Push(task.get())) owned = task.release();
    (void)owned;  // by the queue
  }

  /// The caller is destroyed.
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return;
    released_ = true;
    (void)napi_release_threadsafe_function(wake_, napi_tsfn_release);
  }

 private:
  struct Task {
    /// The call of a thread that waits; otherwise `own`, and the task owns
    /// itself.
    const Call* call = nullptr;
    Call own;
    bool done = false;
    bool answered = false;
  };

  /// Requires the lock. Returns false after the end of the environment.
  bool Push(Task* task) {
    if (ended_) return false;
    tasks_.push_back(task);
    if (woken_) return true;
    // The call stays under the lock: teardown takes the lock before it releases
    // the function.
    woken_ = napi_call_threadsafe_function(wake_, nullptr,
                                           napi_tsfn_nonblocking) == napi_ok;
    if (woken_) return true;
    tasks_.pop_back();
    return false;
  }

  bool RunHere(const Call& call) {
    napi_env env = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (ended_) return false;
      env = env_;
    }
    return RunIn(env, call);
  }

  static bool RunIn(napi_env env, const Call& call) {
    // Any call of a terminating worker can fail, and memory can run out. No
    // exception may leave a function that Node or DuckDB has called.
    try {
      const Napi::HandleScope scope(env);
      call(env);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  static void OnWake(napi_env env, napi_value, void* context, void*) {
    // Null while the environment shuts down: the clean-up hook then ends the
    // tasks.
    if (env != nullptr) static_cast<State*>(context)->Drain(env);
  }

  void Drain(napi_env env) {
    std::deque<Task*> tasks;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks.swap(tasks_);
      woken_ = false;
    }
    for (Task* const task : tasks) Finish(task, env);
  }

  /// Runs the task, unless `env` is null.
  void Finish(Task* task, napi_env env) {
    if (task->call == nullptr) {
      if (env != nullptr) (void)RunIn(env, task->own);
      delete task;
      return;
    }
    const bool answered = env != nullptr && RunIn(env, *task->call);
    const std::lock_guard<std::mutex> lock(mutex_);
    task->answered = answered;
    task->done = true;
    // With the lock: the task is gone as soon as its thread sees `done`.
    answered_.NotifyAll();
  }

  /// Accepts no more tasks, and ends those that wait.
  void End() {
    std::deque<Task*> tasks;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
      tasks.swap(tasks_);
    }
    for (Task* const task : tasks) Finish(task, nullptr);
  }

  void EndWithEnv() {
    End();
    if (ended_call_) ended_call_();
  }

  static void OnTeardown(void* data) {
    auto* const self = static_cast<State*>(data);
    self->EndWithEnv();
    const std::lock_guard<std::mutex> lock(self->mutex_);
    self->closed_ = true;
    if (!self->released_) {
      (void)napi_release_threadsafe_function(self->wake_, napi_tsfn_abort);
    }
  }

  static void OnFinalize(napi_env env, void* data, void*) {
    auto* const holder = static_cast<std::shared_ptr<State>*>(data);
    State* const self = holder->get();
    self->End();
    bool closed = false;
    {
      const std::lock_guard<std::mutex> lock(self->mutex_);
      closed = std::exchange(self->closed_, true);
    }
    if (!closed) (void)napi_remove_env_cleanup_hook(env, OnTeardown, self);
    delete holder;
  }

  friend class JsCaller;

  /// The states of all environments. Never freed: DuckDB may free functions
  /// while the process ends.
  struct All {
    std::mutex mutex;
    std::vector<State*> states;
  };
  static All& all() {
    static All* const kept = new All;
    return *kept;
  }

  const std::thread::id thread_;
  napi_env env_ = nullptr;
  napi_threadsafe_function wake_ = nullptr;
  /// Called when the environment ends before the caller.
  std::function<void()> ended_call_;

  std::mutex mutex_;
  Condition answered_;
  std::deque<Task*> tasks_;
  bool woken_ = false;
  /// No more tasks are accepted.
  bool ended_ = false;
  /// The environment has ended, or the thread-safe function.
  bool closed_ = false;
  bool released_ = false;
};

JsCaller::JsCaller(Napi::Env env, std::function<void()> ended)
    : state_(State::Create(env, std::move(ended))) {}

JsCaller::~JsCaller() { state_->Release(); }

bool JsCaller::Run(const Call& call) { return state_->Run(call); }

void JsCaller::Post(Call call) { state_->Post(std::move(call)); }

void JsCaller::EndAll(Napi::Env env) { State::EndAll(env); }

}  // namespace tfr::addon
