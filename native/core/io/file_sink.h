#ifndef TFR_CORE_IO_FILE_SINK_H_
#define TFR_CORE_IO_FILE_SINK_H_

#include <memory>
#include <string>

#include "core/io/byte_sink.h"

namespace tfr {

/// A sink that writes the file at `path`: UTF-8 and absolute, because the
/// working directory may change between opening and committing.
///
/// `atomic`: the bytes go to `.<name>.<pid>-<random>.tmp` in the same folder.
/// `Commit` syncs that file, renames it to `path` and syncs the folder, so that
/// at any moment, even after a power failure, `path` is the old file or the
/// whole new one. The new file keeps the mode of an existing one, and its owner
/// where that is allowed; access lists and other attributes are lost. Targets
/// that a rename would destroy are written in place instead: devices, pipes,
/// symbolic links, files with several hard links. A file without write
/// permission is not replaced.
///
/// The folder is held open: if it is renamed, the file still appears in it. (On
/// Windows, it cannot be renamed while a file in it is open.) If
/// another process created or replaced the file in the meantime, that file is
/// replaced, and `replaced_other` returns true.
///
/// Without `atomic`, the file is truncated and written in place, without
/// syncing. If another sink is writing the file in place, or holds its lock
/// (`TryLockFile`), opening fails: EBUSY with the detail `kInUse`. On Windows,
/// no other program can write the file meanwhile; if one has it open for
/// writing, opening fails: EBUSY with the detail `kHeld`.
///
/// Faults are `kSystem` with errno (on Windows, the closest errno) and the name
/// of the call. Interrupted calls and short writes are resumed.
std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic);

/// Path of a temporary file beside `path`, unique for each `attempt` and each
/// call. Its last component has at most 255 bytes; a truncated name is not cut
/// inside a UTF-8 character.
std::string TemporaryPathFor(const std::string& path, int attempt);

}  // namespace tfr

#endif  // TFR_CORE_IO_FILE_SINK_H_
