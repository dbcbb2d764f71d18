#ifndef TFR_CORE_INDEX_FILE_INDEX_H_
#define TFR_CORE_INDEX_FILE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/buffers.h"
#include "core/index/index_file.h"
#include "core/index/index_loader.h"
#include "core/index/record_index.h"
#include "core/record/reader_spec.h"

namespace tfr {

/// The index of one source, and facts about the whole source once it has been
/// read to its end or the index has been loaded. The object behind the handles
/// of both hosts.
class FileIndex {
 public:
  explicit FileIndex(const IndexLimits& limits = {});

  const std::shared_ptr<RecordIndex>& index() const { return index_; }
  /// The index, for a reader with `spec` that adds to it.
  std::shared_ptr<RecordIndex> Noting(const ReaderSpec& spec);

  /// Notes that a writer has written `size` bytes of framed records, which need
  /// no checksums yet, after those before. `stored`: the position in the file
  /// where they begin; in a compressed file, that of a member. Throws
  /// std::bad_alloc.
  void Wrote(const uint8_t* framed, size_t size, Compression compression,
             uint64_t stored);

  /// Adds a point of a gzip file from the index of another program, as
  /// `CheckpointMaker::MakePartial`: this index then serves only to inflate
  /// ahead. Points must be added in their order. Returns false if the state is
  /// invalid, or when memory runs out. Throws std::bad_alloc.
  bool AddPoint(uint64_t position, uint64_t offset, const uint8_t* state,
                size_t size);

  /// Notes that a reader or writer has added the whole source. `summary` need
  /// not have `file` nor `verified`.
  void Complete(const IndexSummary& summary);

  /// Returns false unless the index is complete or was loaded, and when memory
  /// runs out.
  bool Save(const IndexedFile& file, ByteBuffer* to, bool with_keys) const;
  /// Ends `loader`, which loads `index()`. Throws std::bad_alloc.
  IndexStatus FinishLoading(IndexLoader* loader);
  const IndexSummary& summary() const { return summary_; }

 private:
  const std::shared_ptr<RecordIndex> index_;
  bool complete_ = false;
  IndexSummary summary_;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_FILE_INDEX_H_
