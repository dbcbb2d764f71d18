#include "core/index/file_index.h"

#include <utility>

#include "core/io/file_source.h"

namespace tfr {

FileIndex::FileIndex(std::string path, const ReaderSpec& spec,
                     const IndexLimits& limits)
    : path_(std::move(path)),
      spec_(spec),
      index_(std::make_shared<RecordIndex>(limits)) {}

void FileIndex::Scan(std::shared_ptr<const CancelToken::Flag> closing) {
  scan_ = std::make_unique<IndexScan>(NewFileSource(path_), spec_, index_,
                                      std::move(closing));
}

bool FileIndex::Save(const IndexedFile& file, ByteBuffer* to) const {
  IndexSummary summary = summary_;
  summary.file = file;
  if (scan_) {
    const ScanState& state = scan_->state();
    if (!state.complete || state.halt.code == FaultCode::kSystem ||
        state.halt.code == FaultCode::kOutOfMemory) {
      return false;
    }
    summary.compression = state.compression;
    summary.verified = spec_.verify;
    summary.cut = static_cast<bool>(state.halt);
    summary.stored = state.compressed_bytes;
    summary.damaged = state.damaged;
  } else if (!loaded_) {
    return false;
  }
  return index_->Save(summary, to);
}

IndexStatus FileIndex::Load(const uint8_t* file, size_t size) {
  const IndexStatus status = index_->Load(file, size, &summary_);
  loaded_ = status == IndexStatus::kRight;
  return status;
}

}  // namespace tfr
