#ifndef TFR_CORE_BASE_DETACHED_THREAD_H_
#define TFR_CORE_BASE_DETACHED_THREAD_H_

namespace tfr {

/// Runs `work(argument)` on a new detached thread. Returns false when the
/// system refuses to start one, for example in a container with a process
/// limit.
///
/// The thread blocks SIGPIPE: writing to a pipe without a reader fails with
/// EPIPE, however the process handles the signal.
[[nodiscard]] bool StartDetachedThread(void (*work)(void*), void* argument);

}  // namespace tfr

#endif  // TFR_CORE_BASE_DETACHED_THREAD_H_
