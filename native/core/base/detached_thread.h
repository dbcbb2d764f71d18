#ifndef TFR_CORE_BASE_DETACHED_THREAD_H_
#define TFR_CORE_BASE_DETACHED_THREAD_H_

namespace tfr {

/// Runs `work(argument)` on a thread of its own that nobody joins. False when
/// the system lets none start, as in a container with a limit of processes.
///
/// SIGPIPE is blocked there: writing into a pipe whose reader is gone fails
/// with EPIPE, whatever the process does with the signal.
[[nodiscard]] bool StartDetachedThread(void (*work)(void*), void* argument);

}  // namespace tfr

#endif  // TFR_CORE_BASE_DETACHED_THREAD_H_
