#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/io/file_source.h"

namespace tfr {
namespace {

/// One call never asks for more: Linux caps a read there anyway.
constexpr size_t kMaxRead = size_t{1} << 30;

class PosixFileSource final : public ByteSource {
 public:
  explicit PosixFileSource(std::string path) : path_(std::move(path)) {}
  ~PosixFileSource() override { Close(); }

  ReadState Read(uint8_t* dst, size_t size, size_t* got,
                 Fault* fault) override {
    if (fd_ < 0 && !Open(fault)) return ReadState::kFault;
    const ssize_t n = ReadSome(position_, dst, size);
    if (n < 0) {
      *fault = SystemFault(errno, "read");
      return ReadState::kFault;
    }
    if (n == 0) return ReadState::kEnd;
    position_ += static_cast<uint64_t>(n);
    *got = static_cast<size_t>(n);
    return ReadState::kBytes;
  }

  uint64_t Position() const override { return position_; }

  Fault ReadAt(uint64_t position, uint8_t* dst, size_t size) const override {
    for (size_t done = 0; done < size;) {
      const ssize_t n = ReadSome(position + done, dst + done, size - done);
      if (n < 0) return SystemFault(errno, "read");
      if (n == 0) return EndedEarly(size, done);
      done += static_cast<size_t>(n);
    }
    return Fault();
  }

  bool StepBack(uint64_t count) override {
    position_ -= count;
    return true;
  }

  uint64_t StepOver(uint64_t count) override {
    const uint64_t remaining = Remaining();
    if (remaining == kUnknown) return 0;
    const uint64_t step = std::min(count, remaining);
    position_ += step;
    return step;
  }

  uint64_t Remaining() override {
    struct stat info;
    if (fd_ < 0 || ::fstat(fd_, &info) != 0 || !Sized(info)) return kUnknown;
    total_ = static_cast<uint64_t>(info.st_size);
    return total_ > position_ ? total_ - position_ : 0;
  }

  uint64_t TotalBytes() const override { return total_; }

  void Close() override {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  /// Files such as those of /proc report size 0 and have content.
  static bool Sized(const struct stat& info) {
    return S_ISREG(info.st_mode) && info.st_size > 0;
  }

  ssize_t ReadSome(uint64_t position, uint8_t* dst, size_t size) const {
    ssize_t n;
    do {
      n = ::pread(fd_, dst, std::min(size, kMaxRead),
                  static_cast<off_t>(position));
    } while (n < 0 && errno == EINTR);
    return n;
  }

  bool Open(Fault* fault) {
    do {
      fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    } while (fd_ < 0 && errno == EINTR);
    struct stat info;
    if (fd_ < 0) {
      *fault = SystemFault(errno, "open");
      return false;
    }
    if (::fstat(fd_, &info) != 0) {
      *fault = SystemFault(errno, "fstat");
      Close();
      return false;
    }
    if (Sized(info)) {
      total_ = static_cast<uint64_t>(info.st_size);
    }
#if defined(POSIX_FADV_SEQUENTIAL)
    ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
    return true;
  }

  const std::string path_;
  int fd_ = -1;
  uint64_t position_ = 0;
  uint64_t total_ = kUnknown;
};

}  // namespace

std::unique_ptr<ByteSource> NewFileSource(std::string path) {
  return std::make_unique<PosixFileSource>(std::move(path));
}

}  // namespace tfr

#endif  // !_WIN32
