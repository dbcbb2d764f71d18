#ifndef TFR_CORE_INDEX_FILE_INDEX_H_
#define TFR_CORE_INDEX_FILE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/buffers.h"
#include "core/base/cancel.h"
#include "core/index/index_file.h"
#include "core/index/index_scan.h"
#include "core/index/record_index.h"
#include "core/record/reader_spec.h"

namespace tfr {

/// The index of the file at a path: scanned, loaded, or filled by readers. The
/// object behind the handles of both hosts.
class FileIndex {
 public:
  /// An empty index. `spec` is for `Scan`.
  FileIndex(std::string path, const ReaderSpec& spec,
            const IndexLimits& limits = {});

  /// Before anything else: makes a scan, which the owner advances.
  void Scan(std::shared_ptr<const CancelToken::Flag> closing);
  /// Null unless there is a scan.
  IndexScan* scan() { return scan_.get(); }

  const std::shared_ptr<RecordIndex>& index() const { return index_; }
  /// The index, for a reader that adds to it.
  std::shared_ptr<RecordIndex> Noting(Verify verify) {
    index_->Verified(verify);
    return index_;
  }

  /// Saves an index that was loaded, or whose scan is complete and found no
  /// fault of the system. Returns false if it is not, or when memory runs out.
  bool Save(const IndexedFile& file, ByteBuffer* to) const;
  /// As `RecordIndex::Load`.
  IndexStatus Load(const uint8_t* file, size_t size);
  const IndexSummary& summary() const { return summary_; }

 private:
  const std::string path_;
  const ReaderSpec spec_;
  const std::shared_ptr<RecordIndex> index_;
  std::unique_ptr<IndexScan> scan_;
  bool loaded_ = false;
  IndexSummary summary_;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_FILE_INDEX_H_
