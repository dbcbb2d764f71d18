#if defined(_WIN32)

#include <algorithm>

#include "core/io/readable_file.h"
#include "core/io/windows_error.h"
#include "core/io/windows_path.h"

namespace tfr {
namespace {

constexpr size_t kMaxRead = size_t{1} << 30;

HANDLE Native(intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

}  // namespace

Fault ReadableFile::Open(const std::string& path) {
  std::wstring wide;
  if (const Fault fault = WidePath(path, &wide)) return fault;
  const HANDLE file =
      ::CreateFileW(wide.c_str(), GENERIC_READ,
                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, FILE_FLAG_SEQUENTIAL_SCAN, nullptr);
  // INVALID_HANDLE_VALUE is -1, like kClosed.
  handle_ = reinterpret_cast<intptr_t>(file);
  if (is_open()) return Fault();
  return SystemFault(ErrnoOfWindows(::GetLastError()), "open");
}

Fault ReadableFile::ReadSome(uint64_t position, uint8_t* dst, size_t size,
                             size_t* got) const {
  OVERLAPPED at = {};
  at.Offset = static_cast<DWORD>(position);
  at.OffsetHigh = static_cast<DWORD>(position >> 32);
  DWORD n = 0;
  *got = 0;
  if (!::ReadFile(Native(handle_), dst,
                  static_cast<DWORD>(std::min(size, kMaxRead)), &n, &at)) {
    const DWORD error = ::GetLastError();
    if (error == ERROR_HANDLE_EOF) return Fault();
    return SystemFault(ErrnoOfWindows(error), "read");
  }
  *got = n;
  return Fault();
}

uint64_t ReadableFile::Size() const {
  LARGE_INTEGER size;
  if (!is_open() || !::GetFileSizeEx(Native(handle_), &size) ||
      size.QuadPart <= 0) {
    return kUnknown;
  }
  return static_cast<uint64_t>(size.QuadPart);
}

void ReadableFile::Close() {
  if (is_open()) ::CloseHandle(Native(handle_));
  handle_ = kClosed;
}

}  // namespace tfr

#endif  // _WIN32
