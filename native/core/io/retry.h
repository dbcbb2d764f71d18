#ifndef TFR_CORE_IO_RETRY_H_
#define TFR_CORE_IO_RETRY_H_

#include <cerrno>

namespace tfr {

/// Repeats the system call `call` while a signal interrupts it, and returns its
/// result. POSIX only.
template <typename Call>
auto Retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace tfr

#endif  // TFR_CORE_IO_RETRY_H_
