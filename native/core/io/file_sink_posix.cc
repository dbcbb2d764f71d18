#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/io/file_lock.h"
#include "core/io/file_sink.h"
#include "core/io/files_in_place.h"
#include "core/io/open_folder.h"
#include "core/io/retry.h"
#include "core/io/write_poller.h"

namespace tfr {
namespace {

constexpr int kAttempts = 32;

int SyncDescriptor(int fd) {
#if defined(__APPLE__)
  // On macOS, fsync leaves the data in the drive's cache. Network file systems
  // support only fsync.
  if (Retry([&] { return fcntl(fd, F_FULLFSYNC); }) == 0) return 0;
  return Retry([&] { return fsync(fd); });
#elif defined(__linux__)
  // fdatasync also writes the file's size.
  return Retry([&] { return fdatasync(fd); });
#else
  return Retry([&] { return fsync(fd); });
#endif
}

FilesInPlace::Identity IdentityOf(const struct stat& file) {
  return {file.st_dev, file.st_ino};
}

/// Version of a file: writing or replacing the file changes it, reading does
/// not.
struct Version {
  bool exists = false;
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  int64_t size = 0;

  Version() = default;
  explicit Version(const struct stat& file)
      : exists(true),
#if defined(__APPLE__)
        seconds(file.st_mtimespec.tv_sec),
        nanoseconds(file.st_mtimespec.tv_nsec),
#else
        seconds(file.st_mtim.tv_sec),
        nanoseconds(file.st_mtim.tv_nsec),
#endif
        size(file.st_size) {
  }

  bool operator!=(const Version& other) const {
    return exists != other.exists || seconds != other.seconds ||
           nanoseconds != other.nanoseconds || size != other.size;
  }
};

class PosixFileSink final : public ByteSink {
 public:
  PosixFileSink(std::string path, bool atomic)
      : path_(std::move(path)), atomic_(atomic) {}
  ~PosixFileSink() override { PosixFileSink::Abandon(); }

  SinkStep Open() override {
    struct stat target;
    const bool exists = lstat(path_.c_str(), &target) == 0;
    // An error other than ENOENT would also make the rename fail, later.
    if (!exists && errno != ENOENT) {
      return SinkStep::Failed(SystemFault(errno, "open"));
    }
    const bool replaceable =
        !exists || (S_ISREG(target.st_mode) && target.st_nlink == 1);
    // A path that ends in a slash is a folder: opening it in place gives the
    // error.
    if (atomic_ && replaceable && !path_.empty() && path_.back() != '/') {
      if (exists && FilesInPlace::Shared().Has(IdentityOf(target))) {
        return SinkStep::Failed(InUseFault());
      }
      const Fault fault = OpenTemporary(exists ? &target : nullptr);
      return fault ? SinkStep::Failed(fault) : SinkStep::Took(0);
    }
    return OpenInPlace();
  }

  SinkStep Write(const uint8_t* data, size_t size) override {
    const size_t step = std::min(size, kPollBytes);
    const ssize_t taken = Retry([&] { return write(fd_, data, step); });
    if (taken > 0) return SinkStep::Took(static_cast<size_t>(taken));
    // POSIX does not exclude a result of 0; retrying could loop forever.
    if (taken == 0) return SinkStep::Failed(SystemFault(EIO, "write"));
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      return SinkStep::Failed(SystemFault(errno, "write"));
    }
    return SinkStep::Wait();
  }

  void WhenReady(const CancelToken& cancel,
                 const std::function<void()>& ready) override {
    // `fd_` is -1 while no reader has opened the pipe.
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
    if (!fault) {
      const int at = folder_->descriptor();
      const Version found = Found();
      replaced_other_ = found.exists && found != before_;
      if (renameat(at, temporary_.c_str(), at, name_.c_str()) != 0) {
        fault = SystemFault(errno, "rename");
      }
    }
    if (fault) {
      Abandon();
      return fault;
    }
    temporary_.clear();
    return SyncFolder();
  }

  bool replaced_other() const override { return replaced_other_; }

  void Abandon() override {
    CloseDescriptor();
    if (!temporary_.empty()) {
      unlinkat(folder_->descriptor(), temporary_.c_str(), 0);
    }
    temporary_.clear();
    folder_.reset();
  }

 private:
  /// `target`: the file to be replaced, or null.
  Fault OpenTemporary(const struct stat* target) {
    if (target != nullptr && access(path_.c_str(), W_OK) != 0) {
      return SystemFault(errno, "open");
    }
    // From here on, paths are relative to the folder: the folder may be
    // renamed, and the temporary name may make a full path too long.
    const size_t slash = path_.rfind('/');
    name_ = slash == std::string::npos ? path_ : path_.substr(slash + 1);
    folder_ = OpenFolder::At(
        slash == std::string::npos ? "." : path_.substr(0, slash + 1));
    if (folder_ == nullptr) return SystemFault(errno, "open");
    before_ = target != nullptr ? Version(*target) : Version();
    // Only the owner can read the new bytes until the old mode is set.
    const mode_t mode = target != nullptr ? 0600 : 0666;
    std::string name;
    for (int attempt = 0; fd_ < 0; ++attempt) {
      name = TemporaryPathFor(name_, attempt);
      fd_ = Retry([&] {
        return openat(folder_->descriptor(), name.c_str(),
                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
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

  /// Keeps owner and mode where possible. Some file systems have neither, so a
  /// failure here does not fail the write.
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
    // Not O_TRUNC: a file that another writer holds must stay unchanged.
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
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
    const bool known = fstat(fd_, &target) == 0;
    syncable_ = known && (S_ISREG(target.st_mode) || S_ISBLK(target.st_mode));
    if (!known || !S_ISREG(target.st_mode)) return SinkStep::Took(0);
    if (!FilesInPlace::Shared().Take(IdentityOf(target))) {
      CloseDescriptor();
      return SinkStep::Failed(InUseFault());
    }
    in_place_ = IdentityOf(target);
    if (!TryLockFile(fd_)) {
      CloseDescriptor();
      return SinkStep::Failed(InUseFault());
    }
    // Another writer may have filled it before the lock was free. ext4 starts
    // to write all of a file to the disk when it closes one that was truncated
    // to nothing, so an empty file stays as it is.
    const bool empty = fstat(fd_, &target) == 0 && target.st_size == 0;
    if (empty || Retry([&] { return ftruncate(fd_, 0); }) == 0) {
      return SinkStep::Took(0);
    }
    const Fault fault = SystemFault(errno, "ftruncate");
    CloseDescriptor();
    return SinkStep::Failed(fault);
  }

  /// Network file systems may report late write errors here.
  Fault CloseDescriptor() {
    if (fd_ < 0) return {};
    const int result = close(std::exchange(fd_, -1));
    if (in_place_) FilesInPlace::Shared().Release(*in_place_);
    in_place_.reset();
    // After EINTR the descriptor is closed, too.
    if (result == 0 || errno == EINTR) return {};
    return SystemFault(errno, "close");
  }

  /// Version of the file that has the name now.
  Version Found() const {
    struct stat target;
    const bool exists = fstatat(folder_->descriptor(), name_.c_str(), &target,
                                AT_SYMLINK_NOFOLLOW) == 0;
    return exists ? Version(target) : Version();
  }

  /// Makes the rename durable.
  Fault SyncFolder() {
    const int error = folder_->Sync();
    folder_.reset();
    if (error == 0) return {};
    Fault fault = SystemFault(error, "fsync");
    fault.detail = kNamed;
    return fault;
  }

  const std::string path_;
  const bool atomic_;
  int fd_ = -1;
  // For an atomic file: its folder, its name there, and the version of the file
  // that it replaces.
  std::shared_ptr<const OpenFolder> folder_;
  std::string name_;
  Version before_;
  bool replaced_other_ = false;
  /// Name of the temporary file in the folder; empty once it is renamed or
  /// removed.
  std::string temporary_;
  /// Identity of a regular file that is written in place.
  std::optional<FilesInPlace::Identity> in_place_;
  bool syncable_ = false;
};

}  // namespace

std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic) {
  return std::make_unique<PosixFileSink>(std::move(path), atomic);
}

}  // namespace tfr

#endif  // !_WIN32
