#ifndef TFR_CORE_INDEX_SORTED_KEYS_H_
#define TFR_CORE_INDEX_SORTED_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/io/scratch_file.h"

namespace tfr {

/// Entries of keys in rising order, each once. More than `kHeld` of them lie in
/// a scratch file, so that millions take little memory; where
/// no such file can be made, as in WebAssembly, they stay in memory.
///
/// Throws std::bad_alloc, also where the scratch file cannot be read: it
/// stands for memory.
class SortedKeys {
 public:
  /// Entries that are held in memory: 4 MiB.
  static constexpr size_t kHeld = size_t{1} << 19;
  /// Entries that are read at once.
  static constexpr size_t kBlock = size_t{1} << 12;

  /// Adds an entry, which must be greater than the last one.
  void Add(uint64_t entry);
  /// No more entries come: memory holds none of them, if there can be a file.
  void Release();

  size_t size() const { return filed_ + held_.size(); }
  uint64_t last() const { return last_; }
  size_t held_bytes() const {
    return (held_.capacity() + firsts_.capacity()) * sizeof(uint64_t);
  }

  /// Copies the entries from number `from` on to `to`: `count` of them, which
  /// must be there.
  void Read(size_t from, size_t count, uint64_t* to) const;
  /// Returns the number of the first entry that is at least `entry`.
  size_t LowerBound(uint64_t entry) const;

 private:
  /// Moves the held entries to the file, if there can be one. Those that were
  /// moved before must be a multiple of `kBlock`.
  void File();

  /// Entries after those in the file.
  std::vector<uint64_t> held_;
  std::unique_ptr<ScratchFile> file_;
  /// No file can be made or written.
  bool unfiled_ = false;
  /// Number of entries in the file, and the first one of each block of them.
  size_t filed_ = 0;
  std::vector<uint64_t> firsts_;
  uint64_t last_ = 0;
};

/// Reads the entries of a `SortedKeys`, which must not change, one by one.
class KeyCursor {
 public:
  explicit KeyCursor(const SortedKeys& keys, size_t at = 0)
      : keys_(&keys), at_(at) {}

  /// Returns false after the last one.
  bool Next(uint64_t* entry);

 private:
  const SortedKeys* keys_;
  size_t at_;
  std::vector<uint64_t> block_;
  size_t next_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_SORTED_KEYS_H_
