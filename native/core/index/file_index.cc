#include "core/index/file_index.h"

#include <new>
#include <utility>

#include "core/base/endian.h"
#include "core/crc32c/record_format.h"

namespace tfr {

FileIndex::FileIndex(const IndexLimits& limits)
    : index_(std::make_shared<RecordIndex>(limits)) {}

std::shared_ptr<RecordIndex> FileIndex::Noting(const ReaderSpec& spec) {
  Verify verified = spec.verify;
  if (verified == Verify::kUnread) verified = Verify::kNone;
  if (verified == Verify::kLengthUnread) verified = Verify::kLength;
  index_->Verified(verified);
  if (spec.framing.kind != FramingKind::kRecords) index_->Unframed();
  return index_;
}

bool FileIndex::AddPoint(uint64_t position, uint64_t offset,
                         const uint8_t* state, size_t size) {
  auto point = CheckpointMaker().MakePartial(position, offset, state, size);
  if (!point) return false;
  index_->Add(std::move(point));
  return true;
}

void FileIndex::Complete(const IndexSummary& summary) {
  summary_ = summary;
  summary_.verified = index_->verified();
  complete_ = true;
}

void FileIndex::Wrote(const uint8_t* framed, size_t size,
                      Compression compression, uint64_t stored) {
  SlabFill fill;
  fill.compression = compression;
  fill.base = index_->content_bytes();
  fill.first_record = index_->records();
  if (compression != Compression::kNone && index_->Wants(fill.base, true)) {
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->compression = compression;
    ContainerInflater::Point& point = checkpoint->point;
    point.between_members = true;
    point.produced = point.proven = fill.base;
    point.consumed = point.member_start = stored;
    index_->Add(std::move(checkpoint));
  }
  for (size_t at = 0; size - at >= kFramingSize;) {
    const uint64_t length = LoadLE64(framed + at);
    if (length > size - at - kFramingSize) break;
    if (!fill.frames.Push({static_cast<uint32_t>(at + kHeaderSize),
                           static_cast<uint32_t>(length)})) {
      throw std::bad_alloc();
    }
    at += kFramingSize + static_cast<size_t>(length);
  }
  index_->Note(fill);
}

bool FileIndex::Save(const IndexedFile& file, ByteBuffer* to,
                     bool with_keys) const {
  if (!complete_) return false;
  IndexSummary summary = summary_;
  summary.file = file;
  return index_->Save(summary, to, with_keys);
}

IndexStatus FileIndex::FinishLoading(IndexLoader* loader) {
  const IndexStatus status = loader->Finish(&summary_);
  complete_ = status == IndexStatus::kRight;
  return status;
}

}  // namespace tfr
