#include "core/index/file_index.h"

namespace tfr {

FileIndex::FileIndex(const IndexLimits& limits)
    : index_(std::make_shared<RecordIndex>(limits)) {}

std::shared_ptr<RecordIndex> FileIndex::Noting(const ReaderSpec& spec) {
  index_->Verified(spec.verify);
  if (spec.framing.kind != FramingKind::kRecords) index_->Unframed();
  return index_;
}

void FileIndex::Complete(const IndexSummary& summary) {
  summary_ = summary;
  summary_.verified = index_->verified();
  complete_ = true;
}

bool FileIndex::Save(const IndexedFile& file, ByteBuffer* to) const {
  if (!complete_) return false;
  IndexSummary summary = summary_;
  summary.file = file;
  return index_->Save(summary, to);
}

IndexStatus FileIndex::Load(const uint8_t* file, size_t size) {
  const IndexStatus status = index_->Load(file, size, &summary_);
  complete_ = status == IndexStatus::kRight;
  return status;
}

}  // namespace tfr
