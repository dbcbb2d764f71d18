#ifndef TFR_CORE_IO_OPEN_FOLDER_H_
#define TFR_CORE_IO_OPEN_FOLDER_H_

#include <memory>
#include <string>

namespace tfr {

/// A folder that is held by a descriptor. Calls relative to it reach the same
/// folder after a rename, and need only a name, not a path. All who hold the
/// same folder share one descriptor. POSIX only.
class OpenFolder {
 public:
  /// Opens the folder at `path`, which is not empty; null, with errno set, if
  /// that fails.
  static std::shared_ptr<const OpenFolder> At(const std::string& path);

  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder();

  int descriptor() const { return fd_; }

  /// Brings the folder's names to the disk. Returns 0 or errno; also 0 if the
  /// folder may not be read, or its file system cannot sync folders.
  int Sync() const;

 private:
  explicit OpenFolder(int fd) : fd_(fd) {}

  const int fd_;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_OPEN_FOLDER_H_
