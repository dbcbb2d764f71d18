#if defined(_WIN32)

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/io/file_sink.h"
#include "core/io/windows_error.h"
#include "core/io/windows_path.h"

namespace tfr {
namespace {

constexpr int kAttempts = 32;
/// A virus scanner or indexer may hold the target briefly: the writer waits
/// twice as long each time, 2.5 seconds in all.
constexpr DWORD kFirstRenamePause = 10;
constexpr DWORD kLastRenamePause = 1280;

Fault LastFault(const char* operation) {
  return SystemFault(ErrnoOfWindows(GetLastError()), operation);
}

/// Windows cannot sync folders; MOVEFILE_WRITE_THROUGH replaces that.
class WindowsFileSink final : public ByteSink {
 public:
  WindowsFileSink(std::string path, bool atomic)
      : path_(std::move(path)), atomic_(atomic) {}
  ~WindowsFileSink() override { WindowsFileSink::Abandon(); }

  SinkStep Open() override {
    Fault fault = WidePath(path_, &wide_path_);
    if (!fault) {
      fault = atomic_ && Replaceable() ? OpenTemporary() : OpenInPlace();
    }
    return fault ? SinkStep::Failed(fault) : SinkStep::Took(0);
  }

  SinkStep Write(const uint8_t* data, size_t size) override {
    DWORD taken = 0;
    const DWORD step = static_cast<DWORD>((std::min)(size, kPollBytes));
    if (!WriteFile(file_, data, step, &taken, nullptr)) {
      return SinkStep::Failed(LastFault("write"));
    }
    if (taken == 0) return SinkStep::Failed(SystemFault(EIO, "write"));
    return SinkStep::Took(taken);
  }

  Fault Sync() override {
    if (!syncable_ || FlushFileBuffers(file_)) return {};
    return LastFault("fsync");
  }

  Fault Commit() override {
    if (temporary_.empty()) return CloseFile();
    Fault fault = Sync();
    if (!fault) fault = CloseFile();
    if (!fault) fault = Rename();
    if (fault) {
      Abandon();
      return fault;
    }
    temporary_.clear();
    return {};
  }

  void Abandon() override {
    CloseFile();
    if (!temporary_.empty()) DeleteFileW(temporary_.c_str());
    temporary_.clear();
  }

 private:
  bool Replaceable() const {
    const DWORD attributes = GetFileAttributesW(wide_path_.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return true;
    if (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT |
                      FILE_ATTRIBUTE_DEVICE)) {
      return false;
    }
    const HANDLE file =
        CreateFileW(wide_path_.c_str(), FILE_READ_ATTRIBUTES,
                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return true;
    BY_HANDLE_FILE_INFORMATION facts;
    const bool single = GetFileType(file) == FILE_TYPE_DISK &&
                        GetFileInformationByHandle(file, &facts) &&
                        facts.nNumberOfLinks == 1;
    CloseHandle(file);
    return single;
  }

  Fault OpenTemporary() {
    const DWORD old = GetFileAttributesW(wide_path_.c_str());
    if (old != INVALID_FILE_ATTRIBUTES && (old & FILE_ATTRIBUTE_READONLY)) {
      return SystemFault(EACCES, "open");
    }
    for (int attempt = 0;; ++attempt) {
      std::wstring name;
      if (const Fault fault =
              WidePath(TemporaryPathFor(path_, attempt), &name)) {
        return fault;
      }
      file_ = CreateFileW(name.c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr,
                          CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
      if (file_ != INVALID_HANDLE_VALUE) {
        temporary_ = std::move(name);
        syncable_ = true;
        return {};
      }
      const DWORD error = GetLastError();
      if (error != ERROR_FILE_EXISTS || attempt >= kAttempts) {
        return SystemFault(ErrnoOfWindows(error), "open");
      }
    }
  }

  Fault OpenInPlace() {
    file_ = CreateFileW(wide_path_.c_str(), GENERIC_WRITE,
                        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file_ == INVALID_HANDLE_VALUE) return LastFault("open");
    syncable_ = GetFileType(file_) == FILE_TYPE_DISK;
    // CREATE_ALWAYS would drop the attributes of a hidden file.
    if (syncable_ && !SetEndOfFile(file_)) return LastFault("ftruncate");
    return {};
  }

  Fault CloseFile() {
    if (file_ == INVALID_HANDLE_VALUE) return {};
    const BOOL closed = CloseHandle(std::exchange(file_, INVALID_HANDLE_VALUE));
    return closed ? Fault{} : LastFault("close");
  }

  Fault Rename() {
    for (DWORD pause = kFirstRenamePause;; pause *= 2) {
      if (MoveFileExW(temporary_.c_str(), wide_path_.c_str(),
                      MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
        return {};
      }
      const DWORD error = GetLastError();
      const bool held =
          error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
      if (!held || pause > kLastRenamePause) {
        Fault fault = SystemFault(ErrnoOfWindows(error), "rename");
        if (held) fault.detail = "held";
        return fault;
      }
      Sleep(pause);
    }
  }

  const std::string path_;
  /// Set by `Open`.
  std::wstring wide_path_;
  const bool atomic_;
  HANDLE file_ = INVALID_HANDLE_VALUE;
  /// Path of the temporary file; empty once it is renamed or removed.
  std::wstring temporary_;
  bool syncable_ = false;
};

}  // namespace

std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic) {
  return std::make_unique<WindowsFileSink>(std::move(path), atomic);
}

}  // namespace tfr

#endif  // _WIN32
