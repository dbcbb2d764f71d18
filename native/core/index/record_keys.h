#ifndef TFR_CORE_INDEX_RECORD_KEYS_H_
#define TFR_CORE_INDEX_RECORD_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/index/index_bytes.h"

namespace tfr {

/// The keys of records: values of one feature, of which a record may have any
/// number. Each takes eight bytes, whatever its length: its checksum, and the
/// number of the record. So a look-up finds candidates, each of which must be
/// read to check that it has the key.
///
/// Throws std::bad_alloc; then nothing has changed. One thread at a time.
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
  size_t held_bytes() const { return entries_.capacity() * sizeof(uint64_t); }

  /// Appends all keys to `to`, as the section `keys` of docs/format.md.
  void Save(IndexWriter* to) const;
  /// Reads what `Save` wrote, for records below `records`. Returns false for
  /// other bytes; the content is then undefined.
  bool Load(IndexReader* from, uint64_t records);

 private:
  void Sort() const;

  std::string feature_;
  /// Checksums in the upper half, numbers of records in the lower one.
  mutable std::vector<uint64_t> entries_;
  mutable bool sorted_ = true;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_RECORD_KEYS_H_
