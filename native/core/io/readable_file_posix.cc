#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/io/readable_file.h"
#include "core/io/retry.h"

namespace tfr {
namespace {

/// Upper limit of one read; Linux caps reads near 2 GiB anyway.
constexpr size_t kMaxRead = size_t{1} << 30;

int Descriptor(intptr_t handle) { return static_cast<int>(handle); }

}  // namespace

Fault ReadableFile::Open(const std::string& path) {
  // O_NONBLOCK: a pipe that replaced the file must not block the thread.
  const int fd = Retry(
      [&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (fd < 0) return SystemFault(errno, "open");
  struct stat info;
  if (::fstat(fd, &info) == 0 &&
      (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode) ||
       S_ISSOCK(info.st_mode))) {
    ::close(fd);
    return SystemFault(ESPIPE, "open");
  }
#if defined(POSIX_FADV_SEQUENTIAL)
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
  handle_ = fd;
  return Fault();
}

Fault ReadableFile::ReadSome(uint64_t position, uint8_t* dst, size_t size,
                             size_t* got) const {
  const ssize_t n = Retry([&] {
    return ::pread(Descriptor(handle_), dst, std::min(size, kMaxRead),
                   static_cast<off_t>(position));
  });
  *got = n > 0 ? static_cast<size_t>(n) : 0;
  return n < 0 ? SystemFault(errno, "read") : Fault();
}

uint64_t ReadableFile::Size() const {
  struct stat info;
  if (!is_open() || ::fstat(Descriptor(handle_), &info) != 0 ||
      !S_ISREG(info.st_mode) || info.st_size <= 0) {
    return kUnknown;
  }
  return static_cast<uint64_t>(info.st_size);
}

void ReadableFile::Close() {
  if (is_open()) ::close(Descriptor(handle_));
  handle_ = kClosed;
}

}  // namespace tfr

#endif  // !_WIN32
