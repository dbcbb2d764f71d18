#ifndef TFR_CORE_INDEX_RECORD_OFFSETS_H_
#define TFR_CORE_INDEX_RECORD_OFFSETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/buffers.h"
#include "core/index/index_bytes.h"

namespace tfr {

/// The offset of each record of a stream: in one or two bytes for records of
/// less than 16 KiB, in almost none if all have the same length.
///
/// Records are grouped into blocks. A block has the offset of its first record,
/// the smallest distance between two neighbours, and, as varints, how much each
/// distance exceeds it, unless all are equal.
///
/// Throws std::bad_alloc; then nothing has changed.
class RecordOffsets {
 public:
  /// Records of a block. A look-up reads the distances of half a block.
  static constexpr size_t kBlock = 256;

  /// Appends the offset of the next record, which is not before that of the
  /// last one.
  void Add(uint64_t offset);

  /// The offset of `record`, which must be less than `size()`.
  uint64_t At(uint64_t record) const;
  /// Sets `offsets[i]` to the offset of `records[i]`. The numbers must be in
  /// ascending order, and less than `size()`; equal ones are allowed.
  void Find(const uint64_t* records, size_t count, uint64_t* offsets) const;

  /// Appends all offsets to `to`, as the section `offs` of docs/format.md.
  void Save(IndexWriter* to) const;
  /// Reads what `Save` wrote, for records that begin before `end`. Returns
  /// false for other bytes; the content is then undefined.
  bool Load(IndexReader* from, uint64_t end);

  /// Number of records.
  uint64_t size() const { return blocks_.size() * kBlock + open_size_; }
  size_t held_bytes() const;

  /// The offset of the last record; 0 if there is none.
  uint64_t last() const { return last_; }

  /// Releases everything.
  void Clear();

 private:
  struct Block {
    /// Offset of the first record.
    uint64_t offset;
    uint64_t least;
    /// Its varints, in a segment. Null if all distances are equal.
    const uint8_t* excesses;
  };

  /// The offsets in a block, one after the other.
  class Steps;

  /// Turns the open block, and the offset after it, into a block.
  void Close(uint64_t next);
  /// Appends a block whose varints are those `size` bytes.
  void AddBlock(uint64_t offset, uint64_t least, const uint8_t* excesses,
                size_t size);
  /// Reads a block that begins at `*offset`, and sets that to its end.
  bool LoadBlock(IndexReader* from, uint64_t* offset);

  std::vector<Block> blocks_;
  /// The varints of all blocks. A segment never moves, so growing takes no
  /// memory beside the new segment.
  std::vector<ByteBuffer> segments_;
  size_t segment_bytes_ = 0;
  /// The offsets of the last records, which do not fill a block yet.
  std::array<uint64_t, kBlock> open_;
  size_t open_size_ = 0;
  uint64_t last_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_RECORD_OFFSETS_H_
