#include "core/content/ahead/inflated_ahead.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tfr {

void InflatedAhead::BeginMembers(const AheadLimits& limits) {
  members_ = std::make_unique<MembersAhead>(source_, limits);
}

void InflatedAhead::BeginSegments(
    std::shared_ptr<const CheckpointSource> checkpoints,
    Compression compression, std::shared_ptr<const Checkpoint> from,
    uint64_t least_content) {
  segments_ = std::make_unique<SegmentsAhead>(source_, std::move(checkpoints),
                                              compression, std::move(from),
                                              least_content);
}

void InflatedAhead::End() {
  members_.reset();
  member_ = MembersAhead::Member();
  segments_.reset();
  segment_ = SegmentsAhead::Segment();
}

bool InflatedAhead::ReadMember(ContainerInflater* inflater, uint8_t* dst,
                               size_t size, size_t* got, MemberStart* begun) {
  if (member_.content_size == 0) {
    if (!inflater->BetweenMembers() ||
        !members_->Next(source_->Position() - raw_->left(), &member_)) {
      return false;
    }
    if (!PassOver(member_.size)) {
      member_ = MembersAhead::Member();
      members_.reset();
      return false;
    }
    member_used_ = 0;
    *begun = {inflater->produced(), member_.records, inflater->consumed()};
  }
  const size_t n = std::min(size, member_.content_size - member_used_);
  std::memcpy(dst, member_.content + member_used_, n);
  member_used_ += n;
  *got = n;
  if (member_used_ == member_.content_size) {
    inflater->Skip(member_.size, member_.content_size);
    member_ = MembersAhead::Member();
    members_->Release();
  }
  return true;
}

bool InflatedAhead::ReadSegment(ContainerInflater* inflater, uint8_t* dst,
                                size_t size, size_t* got,
                                std::shared_ptr<const Checkpoint>* end) {
  if (segment_.content_size == 0) {
    if (!segments_->Next(&segment_) || !PassOver(segment_.size)) return false;
    segment_used_ = 0;
  }
  const size_t n = std::min(size, segment_.content_size - segment_used_);
  std::memcpy(dst, segment_.content + segment_used_, n);
  segment_used_ += n;
  *got = n;
  if (segment_used_ < segment_.content_size) return true;
  inflater->MoveTo(segment_.end->point);
  *end = std::move(segment_.end);
  segment_ = SegmentsAhead::Segment();
  segments_->Release();
  return true;
}

std::shared_ptr<const Checkpoint> InflatedAhead::EndSegments() {
  std::shared_ptr<const Checkpoint> reached = segments_->reached();
  segments_.reset();
  segment_ = SegmentsAhead::Segment();
  return reached;
}

/// Uses `size` bytes of the source without reading them. Returns false, with no
/// effect, if the file became shorter: reading in order will report it.
bool InflatedAhead::PassOver(size_t size) {
  const size_t left = raw_->left();
  const uint64_t unread = size > left ? size - left : 0;
  const uint64_t stepped = source_->StepOver(unread);
  if (stepped < unread) {
    source_->StepBack(stepped);
    return false;
  }
  raw_->Use(std::min(left, size));
  return true;
}

uint64_t InflatedAhead::consumed() const {
  uint64_t consumed = 0;
  if (member_.content_size > 0) {
    consumed += uint64_t{member_.size} * member_used_ / member_.content_size;
  }
  if (segment_.content_size > 0) {
    consumed += uint64_t{segment_.size} * segment_used_ / segment_.content_size;
  }
  return consumed;
}

}  // namespace tfr
