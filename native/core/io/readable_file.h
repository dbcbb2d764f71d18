#ifndef TFR_CORE_IO_READABLE_FILE_H_
#define TFR_CORE_IO_READABLE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/fault.h"

namespace tfr {

/// A file opened for positional reads. One implementation per system.
class ReadableFile {
 public:
  ReadableFile() = default;
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;
  ~ReadableFile() { Close(); }

  /// `path` is UTF-8.
  Fault Open(const std::string& path);
  bool is_open() const { return handle_ != kClosed; }

  /// Reads 1 to `size` bytes at `position`; 0 at the end of the file. May run
  /// concurrently with itself and `Size`.
  Fault ReadSome(uint64_t position, uint8_t* dst, size_t size,
                 size_t* got) const;

  /// Current size of a regular file. `kUnknown` for other files, and for files
  /// such as those in /proc that report 0 but have content.
  uint64_t Size() const;

  /// Idempotent.
  void Close();

 private:
  /// A POSIX descriptor or a Windows handle.
  using Handle = intptr_t;
  static constexpr Handle kClosed = -1;

  Handle handle_ = kClosed;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_READABLE_FILE_H_
