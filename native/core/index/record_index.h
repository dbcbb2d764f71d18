#ifndef TFR_CORE_INDEX_RECORD_INDEX_H_
#define TFR_CORE_INDEX_RECORD_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/buffers.h"
#include "core/content/checkpoint.h"
#include "core/crc32c/record_format.h"
#include "core/index/index_bytes.h"
#include "core/index/index_file.h"
#include "core/index/record_keys.h"
#include "core/index/record_offsets.h"
#include "core/record/framing/framer.h"
#include "core/record/index_sink.h"
#include "core/record/read_options.h"
#include "core/record/read_start.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// The distances between places. When there are too many, every other one is
/// dropped, and the distances double.
struct IndexLimits {
  /// A place is kept after this much of the stream, or this many records.
  uint64_t place_bytes = uint64_t{64} << 10;
  uint64_t place_records = 1024;
  size_t most_places = size_t{1} << 20;
  /// Nothing is noted of plain content, in which readers seek.
  bool compressed_only = false;
  /// A checkpoint is kept after this much inflated content; between members,
  /// where it takes little memory, after half as much.
  uint64_t checkpoint_bytes = uint64_t{1} << 20;
  size_t most_checkpoint_memory = size_t{64} << 20;
  /// Memory of the offsets of all records. With more, only places are kept.
  size_t most_offset_memory = 0;
};

/// Places of records in a stream, and checkpoints of its inflater: everything
/// that a reader needs to jump to a record. Readers of the file add to it in
/// the order of the stream; only records after the known ones are added. Any
/// thread may add and find. Throws std::bad_alloc, as the standard containers
/// do.
class RecordIndex final : public IndexSink, public CheckpointSource {
 public:
  explicit RecordIndex(const IndexLimits& limits = {}) : limits_(limits) {}

  void Note(const SlabFill& fill) override;

  bool Wants(uint64_t offset, bool cheap) override;
  void Add(std::shared_ptr<const Checkpoint> checkpoint) override;

  std::shared_ptr<const Checkpoint> CheckpointFrom(
      uint64_t offset) const override;
  std::shared_ptr<const Checkpoint> CheckpointUpTo(
      uint64_t offset) const override;
  uint64_t RecordAt(uint64_t offset) const override;

  /// The way to a record.
  struct Jump {
    /// The last known place at or before it; the record's own, if the offsets
    /// of all records are known.
    StreamPlace place = {0, 0};
    /// The last checkpoint at or before that; null where the stream is plain.
    std::shared_ptr<const Checkpoint> from;
    /// An offset after the wanted records, or their end.
    uint64_t end = 0;
    /// As `ReadStart::checked`.
    bool checked = false;

    /// A reader for these records begins there.
    ReadStart start() const {
      return {place.record, place.offset, from, checked};
    }
  };
  /// For the records from `first` to before `last`. Returns false if `first` is
  /// not known.
  bool Find(uint64_t first, uint64_t last, Jump* jump) const;

  /// Start and end of a record in the content, framing included.
  struct Extent {
    uint64_t offset;
    uint64_t end;
    /// As `Jump::from`.
    std::shared_ptr<const Checkpoint> from;
  };
  /// Sets `extents[i]` to that of `records[i]`. The numbers must be in
  /// ascending order; equal ones are allowed. Returns false unless the offsets
  /// of all records are known, and these are among them.
  bool FindAll(const uint64_t* records, size_t count, Extent* extents) const;

  /// Checkpoint number `at` of the known ones, in order; null after the last.
  std::shared_ptr<const Checkpoint> CheckpointAt(size_t at) const;

  /// The place of compressed content at which a reader begins that needs all
  /// records from `record` on: the first one after a checkpoint. Returns false
  /// if only the beginning will do.
  bool FindStart(uint64_t record, ReadStart* start) const;

  /// A reader that adds verifies these checksums; the weakest counts.
  void Verified(Verify verify);
  /// The readers that add find lines, or other records without header and
  /// footer.
  void Unframed();
  /// The checksums that all readers so far verified.
  Verify verified() const;
  /// Content between two checkpoints within a member.
  uint64_t distance() const;

  /// Number of records that are known.
  uint64_t records() const;
  /// Bytes of the content up to the end of the last known record.
  uint64_t content_bytes() const;

  /// The keys of the records, so that those with a key are found.
  RecordKeys* keys() { return &keys_; }

  size_t held_bytes() const;

  /// Writes the index to `to`, in the form that docs/format.md specifies, with
  /// `summary`. Checkpoints that only this process can use are left out.
  /// Returns false when memory runs out.
  /// Without keys: the parts of their section, of `RecordKeys::SavePart`, must
  /// follow if there are any.
  bool Save(const IndexSummary& summary, ByteBuffer* to,
            bool with_keys = true) const;
  /// Reads a saved index into this one, which must be empty. If the result is
  /// not kRight, neither this nor `*summary` may be used. A file that passes
  /// can still be forged, so a reader that jumps by it must check the bytes
  /// there.
  IndexStatus Load(const uint8_t* file, size_t size, IndexSummary* summary);

 private:
  /// The last checkpoint at or before `offset`; null if there is none.
  std::shared_ptr<const Checkpoint> CheckpointBefore(uint64_t offset) const;
  /// True if the offset of each known record is known.
  bool HasOffsets() const {
    return offsets_.size() > 0 && offsets_.size() == known_.record;
  }
  void AddOffset(const StreamPlace& place);
  /// `Find` by the places.
  void FindPlaces(uint64_t first, uint64_t last, Jump* jump) const;
  bool WantsPlace(const StreamPlace& place) const;
  void AddPlace(const StreamPlace& place);
  void AddCheckpoint(std::shared_ptr<const Checkpoint> checkpoint);
  friend class IndexLoader;
  /// Loads the sections of a saved index, in the order of `kIndexSections`.
  /// Returns false if they are invalid.
  bool LoadSections(IndexSection* sections, RecordKeys::Loader* keys,
                    IndexSummary* summary);
  bool LoadOffsets(IndexReader reader, const StreamPlace& known);
  bool LoadPlaces(IndexReader reader, const StreamPlace& known);
  bool LoadPoints(IndexReader reader, const IndexSummary& summary);

  mutable std::mutex mutex_;
  IndexLimits limits_;
  Verify verified_ = Verify::kAll;
  uint64_t header_bytes_ = kHeaderSize;
  uint64_t footer_bytes_ = kFooterSize;
  /// End of the known records, and their number.
  StreamPlace known_ = {0, 0};
  std::vector<StreamPlace> places_;
  /// Merged when they are read.
  mutable RecordKeys keys_;
  RecordOffsets offsets_;
  /// Memory ran out, or an earlier record came after a later one.
  bool dropped_offsets_ = false;
  std::vector<std::shared_ptr<const Checkpoint>> checkpoints_;
  size_t checkpoint_memory_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_RECORD_INDEX_H_
