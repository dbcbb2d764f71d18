#ifndef TFR_CORE_INDEX_RECORD_KEYS_H_
#define TFR_CORE_INDEX_RECORD_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/buffers.h"
#include "core/index/sorted_keys.h"

namespace tfr {

/// The keys of records: values of one feature, of which a record may have any
/// number. Each takes eight bytes, whatever its length: its checksum, and the
/// number of the record. So a look-up finds candidates, each of which must be
/// read to check that it has the key. Memory has 4 MiB of them, and temporary
/// files the others.
///
/// Throws std::bad_alloc. One thread at a time.
class RecordKeys {
 public:
  /// Maximum number of keys of an index: 80 MB.
  static constexpr size_t kMost = 10000000;

  /// The feature; empty while there are no keys.
  const std::string& feature() const { return feature_; }
  void SetFeature(std::string feature) { feature_ = std::move(feature); }

  /// Adds a key of `record`. Returns false if there are too many, or if the
  /// record is number 2^32 or a later one.
  bool Add(uint64_t record, const uint8_t* key, size_t size);

  /// Returns the records that may have `key`, in ascending order.
  std::vector<uint64_t> Find(const uint8_t* key, size_t size);

  /// Number of different pairs of a key's checksum and a record.
  size_t size();
  size_t held_bytes() const;

  /// Appends part number `part` of the section `keys` of docs/format.md to
  /// `to`; `sum` is the CRC-32C of the parts before it. The last part is the
  /// checksum of the section. Returns false after it.
  bool SavePart(size_t part, uint32_t sum, ByteBuffer* to);

  /// Reads the section from its payload, in pieces of any size.
  class Loader;

 private:
  /// Moves the new entries to runs.
  void EndRun();
  /// Merges all entries into one run.
  const SortedKeys& Merged();

  std::string feature_;
  /// New entries: checksums in the upper half, numbers of records in the lower
  /// one.
  std::vector<uint64_t> new_;
  std::vector<SortedKeys> runs_;
  /// Number of entries in `runs_`.
  size_t in_runs_ = 0;
};

class RecordKeys::Loader {
 public:
  /// `keys` must be empty.
  explicit Loader(RecordKeys* keys) : keys_(keys) {}

  void Take(const uint8_t* data, size_t size);
  /// Returns true if the pieces were the keys of records below `records`. If
  /// not, the content is undefined.
  bool Finish(uint64_t records);

 private:
  /// Reads the name and the count. Returns the bytes that they take; 0 if they
  /// are not there.
  size_t TakeHead();
  void TakeEntries(const uint8_t* data, size_t size);

  RecordKeys* const keys_;
  /// The bytes so far that are no whole head, or no whole entry.
  std::vector<uint8_t> rest_;
  bool has_head_ = false;
  bool wrong_ = false;
  uint64_t count_ = 0;
  uint64_t last_record_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_RECORD_KEYS_H_
