#if defined(_WIN32)

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "core/io/file_sink.h"
#include "core/io/files_in_place.h"
#include "core/io/windows_error.h"
#include "core/io/windows_path.h"

namespace tfr {
namespace {

constexpr int kAttempts = 32;
/// A virus scanner or indexer may hold the target briefly: the writer waits
/// twice as long each time, 2.5 seconds in all.
constexpr DWORD kFirstRenamePause = 10;
constexpr DWORD kLastRenamePause = 1280;

/// The fault of a call that failed with `error`. Its detail is `kHeld` if the
/// file is open elsewhere, and not shared.
Fault FaultOf(DWORD error, const char* operation) {
  Fault fault = SystemFault(ErrnoOfWindows(error), operation);
  if (error == ERROR_SHARING_VIOLATION) fault.detail = kHeld;
  return fault;
}

Fault LastFault(const char* operation) {
  return FaultOf(GetLastError(), operation);
}

uint64_t Join(DWORD high, DWORD low) { return uint64_t{high} << 32 | low; }

/// Facts about the file that a path leads to, through links.
struct Found {
  FilesInPlace::Identity identity;
  uint64_t written = 0;
  uint64_t size = 0;
  DWORD links = 0;

  /// Writing or replacing the file changes its version, reading does not. The
  /// clock of file systems is coarse, so a file that replaced another may have
  /// its time.
  bool SameVersion(const Found& other) const {
    return identity == other.identity && written == other.written &&
           size == other.size;
  }
};

/// Returns nothing for what is not on a disk.
std::optional<Found> FactsOf(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION facts;
  if (GetFileType(file) != FILE_TYPE_DISK ||
      !GetFileInformationByHandle(file, &facts)) {
    return std::nullopt;
  }
  Found found;
  found.identity = {facts.dwVolumeSerialNumber,
                    Join(facts.nFileIndexHigh, facts.nFileIndexLow)};
  found.written = Join(facts.ftLastWriteTime.dwHighDateTime,
                       facts.ftLastWriteTime.dwLowDateTime);
  found.size = Join(facts.nFileSizeHigh, facts.nFileSizeLow);
  found.links = facts.nNumberOfLinks;
  return found;
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
      const std::optional<Found> target = Look();
      if (target && FilesInPlace::Shared().Has(target->identity)) {
        fault = InUseFault();
      } else if (atomic_ && Replaceable(target)) {
        before_ = target;
        fault = OpenTemporary();
      } else {
        fault = OpenInPlace();
      }
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
    if (!fault) {
      const std::optional<Found> found = Look();
      replaced_other_ = found && !(before_ && before_->SameVersion(*found));
      fault = Rename();
    }
    if (fault) {
      Abandon();
      return fault;
    }
    temporary_.clear();
    return {};
  }

  bool replaced_other() const override { return replaced_other_; }

  void Abandon() override {
    CloseFile();
    if (!temporary_.empty()) DeleteFileW(temporary_.c_str());
    temporary_.clear();
  }

 private:
  /// Returns what has the name now. A handle that only asks for attributes
  /// opens whatever others share.
  std::optional<Found> Look() const {
    const HANDLE file =
        CreateFileW(wide_path_.c_str(), FILE_READ_ATTRIBUTES,
                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return std::nullopt;
    const std::optional<Found> found = FactsOf(file);
    CloseHandle(file);
    return found;
  }

  bool Replaceable(const std::optional<Found>& target) const {
    // A device or a pipe: Windows may not know attributes of it.
    if (wide_path_.rfind(L"\\\\.\\", 0) == 0) return false;
    const DWORD attributes = GetFileAttributesW(wide_path_.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return true;
    if (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT |
                      FILE_ATTRIBUTE_DEVICE)) {
      return false;
    }
    // It may have come just now.
    const std::optional<Found> now = target ? target : Look();
    return now && now->links == 1;
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
        return FaultOf(error, "open");
      }
    }
  }

  Fault OpenInPlace() {
    // Without FILE_SHARE_WRITE, no other process writes the file meanwhile.
    file_ = CreateFileW(wide_path_.c_str(), GENERIC_WRITE,
                        FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                        OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file_ == INVALID_HANDLE_VALUE) return LastFault("open");
    const std::optional<Found> target = FactsOf(file_);
    if (!target) return {};
    syncable_ = true;
    if (!FilesInPlace::Shared().Take(target->identity)) {
      CloseFile();
      return InUseFault();
    }
    in_place_ = target->identity;
    // CREATE_ALWAYS would drop the attributes of a hidden file.
    if (SetEndOfFile(file_)) return {};
    const Fault fault = LastFault("ftruncate");
    CloseFile();
    return fault;
  }

  Fault CloseFile() {
    if (file_ == INVALID_HANDLE_VALUE) return {};
    const BOOL closed = CloseHandle(std::exchange(file_, INVALID_HANDLE_VALUE));
    const Fault fault = closed ? Fault{} : LastFault("close");
    if (in_place_) FilesInPlace::Shared().Release(*in_place_);
    in_place_.reset();
    return fault;
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
        if (held) fault.detail = kHeld;
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
  /// The file that an atomic one replaces.
  std::optional<Found> before_;
  bool replaced_other_ = false;
  /// Identity of a regular file that is written in place.
  std::optional<FilesInPlace::Identity> in_place_;
  bool syncable_ = false;
};

}  // namespace

std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic) {
  return std::make_unique<WindowsFileSink>(std::move(path), atomic);
}

}  // namespace tfr

#endif  // _WIN32
