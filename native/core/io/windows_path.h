#ifndef TFR_CORE_IO_WINDOWS_PATH_H_
#define TFR_CORE_IO_WINDOWS_PATH_H_

#include <string>

#include "core/base/fault.h"

namespace tfr {

/// Returns the form of a full path that Windows takes at any length:
/// `\\?\C:\folder\file` or `\\?\UNC\server\share\file`. Short paths, and those
/// that have such a prefix, stay as they are. A full path has backslashes, and
/// neither `.` nor `..`. Compiled on all systems, for its test.
std::wstring LongPath(const std::wstring& full);

/// True if Windows made a device of a plain name, such as `con` or `lpt1.txt`:
/// `full`, the full form of `path`, is `\\.\con`. The device `NUL` is not
/// one of these, because it is useful. Compiled on all systems, for its test.
bool IsReservedName(const std::wstring& path, const std::wstring& full);

/// True if Windows would drop the end of a name in `path`: dots, and spaces at
/// the end of the last name. Node, which takes names as they are, would mean
/// another file. Compiled on all systems, for its test.
bool LosesNameEnd(const std::wstring& path);

#if defined(_WIN32)
/// Converts `path`, UTF-8, to the form that the calls of Windows take. The
/// fault is EINVAL with the detail "reserved name" or "name end".
Fault WidePath(const std::string& path, std::wstring* wide);
#endif

}  // namespace tfr

#endif  // TFR_CORE_IO_WINDOWS_PATH_H_
