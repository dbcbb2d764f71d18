#ifndef TFR_WASM_SINGLE_THREAD_H_
#define TFR_WASM_SINGLE_THREAD_H_

/// Included before every file of the WebAssembly build, whose C++ library has
/// no threads: what core uses of <mutex> and <condition_variable>, for the one
/// thread that there is. Nothing is ever locked. A wait would never end, so it
/// traps.
#include <mutex>

namespace std {

struct mutex {
  void lock() {}
  bool try_lock() { return true; }
  void unlock() {}
};

template <class Mutex>
struct unique_lock {
  explicit unique_lock(Mutex& mutex) : mutex_(&mutex) {}
  unique_lock(const unique_lock&) = delete;
  unique_lock& operator=(const unique_lock&) = delete;
  Mutex* mutex() const { return mutex_; }

 private:
  Mutex* mutex_;
};
template <class Mutex>
unique_lock(Mutex&) -> unique_lock<Mutex>;

struct condition_variable {
  [[noreturn]] void wait(unique_lock<mutex>& /*lock*/) { __builtin_trap(); }
  void notify_one() {}
  void notify_all() {}
};

}  // namespace std

#endif  // TFR_WASM_SINGLE_THREAD_H_
