#ifndef TFR_CORE_IO_FILE_SINK_H_
#define TFR_CORE_IO_FILE_SINK_H_

#include <memory>
#include <string>

#include "core/io/byte_sink.h"

namespace tfr {

/// A sink that writes the file at `path` (UTF-8, absolute: the working
/// directory may change between opening and committing).
///
/// `atomic`: the bytes go to `.<name>.<pid>-<random>.tmp` in the same folder;
/// `Commit` syncs that file, renames it to `path` and syncs the folder, so that
/// at any moment, also after a power cut, `path` is the old file or the whole
/// new one. An existing file passes on its mode, and its owner where that is
/// allowed; access lists and other attributes are not kept. What a rename would
/// destroy is written in place instead: devices, pipes, symbolic links, files
/// with several hard links. A file that may not be written is not replaced.
///
/// The folder is held open: if it is renamed, the file still appears in it. If
/// others created or replaced the file meanwhile, theirs is replaced, and
/// `replaced_other` says so.
///
/// Otherwise the file is truncated and written in place, without syncing. A
/// file that another sink of this process is writing in place is refused: EBUSY
/// with the detail `kInUse`.
///
/// Faults are `kSystem` with errno (on Windows the errno closest to the error)
/// and the name of the call. Interrupted calls and short writes go on.
std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic);

/// Path of a temporary file beside `path`, different with each `attempt` and
/// each call. Its last component has at most 255 bytes and does not end inside
/// a UTF-8 character of the name it is made from.
std::string TemporaryPathFor(const std::string& path, int attempt);

}  // namespace tfr

#endif  // TFR_CORE_IO_FILE_SINK_H_
