#include "core/io/file_lock.h"

#if !defined(_WIN32)
#include <sys/file.h>

#include <cerrno>

#include "core/io/retry.h"
#endif

namespace tfr {

bool TryLockFile(int descriptor) {
#if defined(_WIN32)
  (void)descriptor;
  return true;
#else
  return Retry([&] { return flock(descriptor, LOCK_EX | LOCK_NB); }) == 0 ||
         errno != EWOULDBLOCK;
#endif
}

}  // namespace tfr
