#ifndef TFR_CORE_IO_WINDOWS_ERROR_H_
#define TFR_CORE_IO_WINDOWS_ERROR_H_

#if defined(_WIN32)

// Otherwise the macros min and max hide those of <algorithm>.
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <cerrno>
#include <string>

namespace tfr {

/// Returns the closest errno, so that errors read alike on all systems.
inline int ErrnoOfWindows(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
      return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      return ENOMEM;
    default:
      return EIO;
  }
}

/// Converts UTF-8 to the wide form of the Windows API.
inline std::wstring WidePath(const std::string& path) {
  const int size = ::MultiByteToWideChar(
      CP_UTF8, 0, path.data(), static_cast<int>(path.size()), nullptr, 0);
  std::wstring wide(static_cast<size_t>(size), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()),
                        wide.data(), size);
  return wide;
}

}  // namespace tfr

#endif  // _WIN32

#endif  // TFR_CORE_IO_WINDOWS_ERROR_H_
