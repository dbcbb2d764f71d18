#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "core/io/open_folder.h"
#include "core/io/retry.h"

namespace tfr {
namespace {

using Identity = std::pair<dev_t, ino_t>;

struct Folders {
  std::mutex mutex;
  std::map<Identity, std::weak_ptr<const OpenFolder>> open;
};

/// Never destroyed: writers may end on any thread while the process exits.
Folders& Shared() {
  static auto* const folders = new Folders;
  return *folders;
}

int OpenAt(int at, const char* path, int flags) {
  return Retry(
      [&] { return openat(at, path, flags | O_DIRECTORY | O_CLOEXEC); });
}

int OpenDescriptor(const char* path) {
  const int fd = OpenAt(AT_FDCWD, path, O_RDONLY);
#if defined(O_PATH)
  // A folder may be writable but not readable.
  if (fd < 0 && errno == EACCES) return OpenAt(AT_FDCWD, path, O_PATH);
#endif
  return fd;
}

}  // namespace

std::shared_ptr<const OpenFolder> OpenFolder::At(const std::string& path) {
  const int fd = OpenDescriptor(path.c_str());
  if (fd < 0) return nullptr;
  struct stat info;
  if (fstat(fd, &info) != 0) {
    const int error = errno;
    close(fd);
    errno = error;
    return nullptr;
  }
  std::unique_ptr<OpenFolder> owner(new (std::nothrow) OpenFolder(fd));
  if (!owner) {
    close(fd);
    errno = ENOMEM;
    return nullptr;
  }
  // Declared before the lock, so destroyed after it: the destructor of an
  // unused folder takes the lock, too.
  std::shared_ptr<const OpenFolder> folder = std::move(owner);
  Folders& folders = Shared();
  std::lock_guard<std::mutex> lock(folders.mutex);
  std::weak_ptr<const OpenFolder>& slot =
      folders.open[{info.st_dev, info.st_ino}];
  if (auto open = slot.lock()) return open;
  slot = folder;
  return folder;
}

OpenFolder::~OpenFolder() {
  {
    Folders& folders = Shared();
    std::lock_guard<std::mutex> lock(folders.mutex);
    struct stat info;
    if (fstat(fd_, &info) == 0) {
      const auto found = folders.open.find({info.st_dev, info.st_ino});
      // A new OpenFolder may have taken the slot in the meantime.
      if (found != folders.open.end() && found->second.expired()) {
        folders.open.erase(found);
      }
    }
  }
  close(fd_);
}

int OpenFolder::Sync() const {
  // An O_PATH descriptor cannot be synced, so the folder is opened again.
  const int fd = OpenAt(fd_, ".", O_RDONLY);
  if (fd < 0) return 0;
  const int error = Retry([&] { return fsync(fd); }) == 0 ? 0 : errno;
  close(fd);
  // Not every file system can sync a folder.
  const bool unable = error == EINVAL || error == ENOTSUP || error == EROFS;
  return unable ? 0 : error;
}

}  // namespace tfr

#endif  // !_WIN32
