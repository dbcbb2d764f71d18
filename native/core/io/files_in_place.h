#ifndef TFR_CORE_IO_FILES_IN_PLACE_H_
#define TFR_CORE_IO_FILES_IN_PLACE_H_

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include "core/base/fault.h"
#include "core/io/byte_sink.h"

namespace tfr {

/// The regular files that sinks of this process, on all threads, are writing in
/// place, by device and inode (on Windows, volume and file index). Two sinks on
/// one file would mix their bytes.
class FilesInPlace {
 public:
  using Identity = std::pair<uint64_t, uint64_t>;

  static FilesInPlace& Shared() {
    // Never destroyed: sinks may end on any thread while the process exits.
    static auto* const files = new FilesInPlace;
    return *files;
  }

  /// Claims `file`. Returns false if another sink holds it.
  [[nodiscard]] bool Take(const Identity& file) {
    std::lock_guard<std::mutex> lock(mutex_);
    return files_.insert(file).second;
  }

  void Release(const Identity& file) {
    std::lock_guard<std::mutex> lock(mutex_);
    files_.erase(file);
  }

  [[nodiscard]] bool Has(const Identity& file) {
    std::lock_guard<std::mutex> lock(mutex_);
    return files_.count(file) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<Identity> files_;
};

/// The fault of opening a file that another sink is writing in place.
inline Fault InUseFault() {
  Fault fault = SystemFault(EBUSY, "open");
  fault.detail = kInUse;
  return fault;
}

}  // namespace tfr

#endif  // TFR_CORE_IO_FILES_IN_PLACE_H_
