#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <utility>

#include "core/io/file_source.h"
#include "core/io/windows_error.h"

namespace tfr {
namespace {

constexpr size_t kMaxRead = size_t{1} << 30;

class WindowsFileSource final : public ByteSource {
 public:
  explicit WindowsFileSource(std::string path) : path_(std::move(path)) {}
  ~WindowsFileSource() override { Close(); }

  ReadState Read(uint8_t* dst, size_t size, size_t* got,
                 Fault* fault) override {
    if (file_ == INVALID_HANDLE_VALUE && !Open(fault)) return ReadState::kFault;
    *fault = ReadSome(position_, dst, size, got);
    if (*fault) return ReadState::kFault;
    if (*got == 0) return ReadState::kEnd;
    position_ += *got;
    return ReadState::kBytes;
  }

  uint64_t Position() const override { return position_; }

  Fault ReadAt(uint64_t position, uint8_t* dst, size_t size) const override {
    for (size_t done = 0; done < size;) {
      size_t n = 0;
      const Fault fault =
          ReadSome(position + done, dst + done, size - done, &n);
      if (fault) return fault;
      if (n == 0) return EndedEarly(size, done);
      done += n;
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
    LARGE_INTEGER size;
    if (file_ == INVALID_HANDLE_VALUE || !::GetFileSizeEx(file_, &size)) {
      return kUnknown;
    }
    total_ = static_cast<uint64_t>(size.QuadPart);
    return total_ > position_ ? total_ - position_ : 0;
  }

  uint64_t TotalBytes() const override { return total_; }

  void Close() override {
    if (file_ != INVALID_HANDLE_VALUE) ::CloseHandle(file_);
    file_ = INVALID_HANDLE_VALUE;
  }

 private:
  /// 0 bytes at the end.
  Fault ReadSome(uint64_t position, uint8_t* dst, size_t size,
                 size_t* got) const {
    OVERLAPPED at = {};
    at.Offset = static_cast<DWORD>(position);
    at.OffsetHigh = static_cast<DWORD>(position >> 32);
    DWORD n = 0;
    *got = 0;
    if (!::ReadFile(file_, dst, static_cast<DWORD>(std::min(size, kMaxRead)),
                    &n, &at)) {
      const DWORD error = ::GetLastError();
      if (error == ERROR_HANDLE_EOF) return Fault();
      return SystemFault(ErrnoOfWindows(error), "read");
    }
    *got = n;
    return Fault();
  }

  bool Open(Fault* fault) {
    file_ = ::CreateFileW(
        WidePath(path_).c_str(), GENERIC_READ,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
        OPEN_EXISTING, FILE_FLAG_SEQUENTIAL_SCAN, nullptr);
    if (file_ == INVALID_HANDLE_VALUE) {
      *fault = SystemFault(ErrnoOfWindows(::GetLastError()), "open");
      return false;
    }
    Remaining();
    return true;
  }

  const std::string path_;
  HANDLE file_ = INVALID_HANDLE_VALUE;
  uint64_t position_ = 0;
  uint64_t total_ = kUnknown;
};

}  // namespace

std::unique_ptr<ByteSource> NewFileSource(std::string path) {
  return std::make_unique<WindowsFileSource>(std::move(path));
}

}  // namespace tfr

#endif  // _WIN32
