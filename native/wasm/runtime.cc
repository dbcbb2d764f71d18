#include <__verbose_abort>
#include <ctime>

#include "wasm/host.h"

// The functions that the C and C++ libraries would take from a WASI system.

// The clock that never goes back: std::chrono::steady_clock.
extern "C" int clock_gettime(clockid_t /*clock*/, timespec* time) {
  const double seconds = tfr_host_now() / 1000;
  time->tv_sec = static_cast<time_t>(seconds);
  time->tv_nsec = static_cast<decltype(time->tv_nsec)>(
      (seconds - static_cast<double>(time->tv_sec)) * 1e9);
  return 0;
}

// The C++ library calls this when it gives up. A trap ends the instance;
// JavaScript reports it (lib/native/wasm/instance.ts).

extern "C" [[noreturn]] void abort_message(const char* /*format*/, ...) {
  __builtin_trap();
}

_LIBCPP_BEGIN_NAMESPACE_STD

[[noreturn]] void __libcpp_verbose_abort(const char* /*format*/, ...) {
  __builtin_trap();
}

_LIBCPP_END_NAMESPACE_STD
