#include "core/io/windows_path.h"

#if defined(_WIN32)
#include "core/io/windows_error.h"
#endif

namespace tfr {
namespace {

/// From this length on, some calls of Windows fail: MAX_PATH without room for
/// a name of eight characters, a dot and an extension.
constexpr size_t kLong = 248;

constexpr const wchar_t* kDevices = L"\\\\.\\";
constexpr const wchar_t* kVerbatim = L"\\\\?\\";

bool StartsWith(const std::wstring& text, const wchar_t* start) {
  return text.rfind(start, 0) == 0;
}

}  // namespace

std::wstring LongPath(const std::wstring& full) {
  if (full.size() < kLong || StartsWith(full, kVerbatim) ||
      StartsWith(full, kDevices)) {
    return full;
  }
  if (StartsWith(full, L"\\\\")) return L"\\\\?\\UNC" + full.substr(1);
  return kVerbatim + full;
}

bool IsReservedName(const std::wstring& path, const std::wstring& full) {
  if (!StartsWith(full, kDevices)) return false;
  // Those who write the prefix mean a device.
  std::wstring start = path.substr(0, 4);
  for (wchar_t& c : start) {
    if (c == L'/') c = L'\\';
  }
  if (start == kDevices || start == kVerbatim) return false;
  std::wstring name = full.substr(4);
  for (wchar_t& c : name) {
    if (c >= L'a' && c <= L'z') c = static_cast<wchar_t>(c - L'a' + L'A');
  }
  return name != L"NUL";
}

bool LosesNameEnd(const std::wstring& path) {
  // `C:.` is the working folder of drive C.
  size_t start = path.size() >= 2 && path[1] == L':' ? 2 : 0;
  for (;;) {
    const size_t end = path.find_first_of(L"\\/", start);
    const bool last = end == std::wstring::npos;
    const std::wstring name = path.substr(start, last ? end : end - start);
    if (!name.empty() && name != L"." && name != L".." &&
        (name.back() == L'.' || (last && name.back() == L' '))) {
      return true;
    }
    if (last) return false;
    start = end + 1;
  }
}

#if defined(_WIN32)

Fault WidePath(const std::string& path, std::wstring* wide) {
  const int bytes = static_cast<int>(path.size());
  const int size =
      ::MultiByteToWideChar(CP_UTF8, 0, path.data(), bytes, nullptr, 0);
  std::wstring given(static_cast<size_t>(size), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, path.data(), bytes, given.data(), size);
  if (StartsWith(given, kVerbatim)) {
    *wide = std::move(given);
    return {};
  }

  std::wstring full(given.size() + MAX_PATH, L'\0');
  for (;;) {
    const DWORD room = static_cast<DWORD>(full.size());
    const DWORD length =
        ::GetFullPathNameW(given.c_str(), room, full.data(), nullptr);
    if (length == 0) return SystemFault(ErrnoOfWindows(GetLastError()), "open");
    full.resize(length);
    // Too little room: `length` counts the terminator.
    if (length < room) break;
  }
  const bool reserved = IsReservedName(given, full);
  if (reserved || LosesNameEnd(given)) {
    Fault fault = SystemFault(EINVAL, "open");
    fault.detail = reserved ? "reserved name" : "name end";
    return fault;
  }
  *wide = LongPath(full);
  return {};
}

#endif

}  // namespace tfr
