#ifndef TFR_CORE_IO_OPEN_FOLDER_H_
#define TFR_CORE_IO_OPEN_FOLDER_H_

#include <memory>
#include <string>

namespace tfr {

/// A folder held open by a descriptor. Relative calls reach the same folder
/// even after a rename, and need only a name, not a path. Users of the same
/// folder share one descriptor. POSIX only.
class OpenFolder {
 public:
  /// Opens the folder at `path`, which is not empty. On failure returns null
  /// and sets errno.
  static std::shared_ptr<const OpenFolder> At(const std::string& path);

  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder();

  int descriptor() const { return fd_; }

  /// Syncs the folder's entries to the disk. Returns 0 or errno; also 0 if the
  /// folder is not readable or its file system cannot sync folders.
  int Sync() const;

 private:
  explicit OpenFolder(int fd) : fd_(fd) {}

  const int fd_;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_OPEN_FOLDER_H_
