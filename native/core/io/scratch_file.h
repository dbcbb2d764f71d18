#ifndef TFR_CORE_IO_SCRATCH_FILE_H_
#define TFR_CORE_IO_SCRATCH_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tfr {

/// Numbers in a temporary file that has no name: memory that is not held. The
/// file ends with its object, or its process. One thread at a time.
class ScratchFile {
 public:
  /// Returns null if there can be none, as in WebAssembly.
  static std::unique_ptr<ScratchFile> Open();

  ScratchFile() = default;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  virtual ~ScratchFile() = default;

  /// Writes `count` numbers from number `at` on, which is at most 2^27. Returns
  /// false if that fails, as on a full disk.
  [[nodiscard]] virtual bool Write(size_t at, const uint64_t* numbers,
                                   size_t count) = 0;
  /// Reads `count` numbers from number `at` on. Returns false if that fails.
  [[nodiscard]] virtual bool Read(size_t at, uint64_t* numbers,
                                  size_t count) = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_SCRATCH_FILE_H_
