#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <utility>

#include "core/io/file_sink.h"
#include "core/io/write_poller.h"

namespace tfr {
namespace {

constexpr int kAttempts = 32;

/// `call` until no signal interrupts it.
template <typename Call>
auto Retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

int SyncDescriptor(int fd) {
#if defined(__APPLE__)
  // fsync leaves the data in the drive's cache there. Network file systems
  // know only fsync.
  if (Retry([&] { return fcntl(fd, F_FULLFSYNC); }) == 0) return 0;
  return Retry([&] { return fsync(fd); });
#elif defined(__linux__)
  // Includes the size of the file.
  return Retry([&] { return fdatasync(fd); });
#else
  return Retry([&] { return fsync(fd); });
#endif
}

class PosixFileSink final : public ByteSink {
 public:
  PosixFileSink(std::string path, bool atomic)
      : path_(std::move(path)), atomic_(atomic) {}
  ~PosixFileSink() override { PosixFileSink::Abandon(); }

  SinkStep Open() override {
    struct stat target;
    const bool exists = lstat(path_.c_str(), &target) == 0;
    // What keeps the name from being looked at would fail the rename, later.
    if (!exists && errno != ENOENT) {
      return SinkStep::Failed(SystemFault(errno, "open"));
    }
    const bool replaceable =
        !exists || (S_ISREG(target.st_mode) && target.st_nlink == 1);
    if (atomic_ && replaceable) {
      const Fault fault = OpenTemporary(exists ? &target : nullptr);
      return fault ? SinkStep::Failed(fault) : SinkStep::Took(0);
    }
    return OpenInPlace();
  }

  SinkStep Write(const uint8_t* data, size_t size) override {
    const size_t step = std::min(size, kPollBytes);
    const ssize_t taken = Retry([&] { return write(fd_, data, step); });
    if (taken > 0) return SinkStep::Took(static_cast<size_t>(taken));
    // POSIX leaves a result of 0 open; it must not become an endless loop.
    if (taken == 0) return SinkStep::Failed(SystemFault(EIO, "write"));
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      return SinkStep::Failed(SystemFault(errno, "write"));
    }
    return SinkStep::Wait();
  }

  void WhenReady(const CancelToken& cancel,
                 const std::function<void()>& ready) override {
    // Without a descriptor: nobody has opened the pipe for reading so far.
    WritePoller::Shared().Wait(fd_, cancel, ready);
  }

  Fault Sync() override {
    if (!syncable_ || SyncDescriptor(fd_) == 0) return {};
    return SystemFault(errno, "fsync");
  }

  Fault Commit() override {
    if (temporary_.empty()) return CloseDescriptor();
    Fault fault = Sync();
    if (!fault) fault = CloseDescriptor();
    if (!fault && rename(temporary_.c_str(), path_.c_str()) != 0) {
      fault = SystemFault(errno, "rename");
    }
    if (fault) {
      Abandon();
      return fault;
    }
    temporary_.clear();
    return SyncFolder();
  }

  void Abandon() override {
    CloseDescriptor();
    if (!temporary_.empty()) unlink(temporary_.c_str());
    temporary_.clear();
  }

 private:
  /// `target`: the file that will be replaced, or null.
  Fault OpenTemporary(const struct stat* target) {
    if (target != nullptr && access(path_.c_str(), W_OK) != 0) {
      return SystemFault(errno, "open");
    }
    // Nobody but the owner sees the new bytes before the old mode is set.
    const mode_t mode = target != nullptr ? 0600 : 0666;
    std::string name;
    for (int attempt = 0; fd_ < 0; ++attempt) {
      name = TemporaryPathFor(path_, attempt);
      fd_ = Retry([&] {
        return open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    mode);
      });
      if (fd_ < 0 && (errno != EEXIST || attempt >= kAttempts)) {
        return SystemFault(errno, "open");
      }
    }
    temporary_ = std::move(name);
    syncable_ = true;
    if (target != nullptr) KeepAttributes(*target);
    return {};
  }

  /// Some file systems have no owners or modes: failing to keep them is no
  /// reason to fail the write.
  void KeepAttributes(const struct stat& target) {
    struct stat own;
    const bool same = fstat(fd_, &own) == 0 && own.st_uid == target.st_uid &&
                      own.st_gid == target.st_gid;
    if (!same && fchown(fd_, target.st_uid, target.st_gid) != 0) {
      static_cast<void>(fchown(fd_, static_cast<uid_t>(-1), target.st_gid));
    }
    static_cast<void>(fchmod(fd_, target.st_mode & 0777));
  }

  SinkStep OpenInPlace() {
    struct stat target;
    const bool exists = stat(path_.c_str(), &target) == 0;
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY;
    if (exists && (S_ISFIFO(target.st_mode) || S_ISCHR(target.st_mode))) {
      flags |= O_NONBLOCK;
    }
    fd_ = Retry([&] { return open(path_.c_str(), flags, 0666); });
    if (fd_ < 0) {
      if (errno == ENXIO && exists && S_ISFIFO(target.st_mode)) {
        return SinkStep::Wait();
      }
      return SinkStep::Failed(SystemFault(errno, "open"));
    }
    syncable_ = fstat(fd_, &target) == 0 &&
                (S_ISREG(target.st_mode) || S_ISBLK(target.st_mode));
    return SinkStep::Took(0);
  }

  /// Late errors of network file systems arrive here.
  Fault CloseDescriptor() {
    if (fd_ < 0) return {};
    const int result = close(std::exchange(fd_, -1));
    // Interrupted or not, the descriptor is gone.
    if (result == 0 || errno == EINTR) return {};
    return SystemFault(errno, "close");
  }

  /// Makes the rename durable. Not every file system can sync a folder, and not
  /// every folder that may be written may be read.
  Fault SyncFolder() {
    const size_t slash = path_.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "." : path_.substr(0, slash + 1);
    const int fd = Retry([&] {
      return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    });
    if (fd < 0) return {};
    const int error = Retry([&] { return fsync(fd); }) == 0 ? 0 : errno;
    close(fd);
    if (error == 0 || error == EINVAL || error == ENOTSUP || error == EROFS) {
      return {};
    }
    return SystemFault(error, "fsync");
  }

  const std::string path_;
  const bool atomic_;
  int fd_ = -1;
  /// Not empty while a temporary file must be renamed or removed.
  std::string temporary_;
  bool syncable_ = false;
};

}  // namespace

std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic) {
  return std::make_unique<PosixFileSink>(std::move(path), atomic);
}

}  // namespace tfr

#endif  // !_WIN32
