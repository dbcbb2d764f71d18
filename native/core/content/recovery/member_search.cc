#include "core/content/recovery/member_search.h"

#include <algorithm>
#include <cstring>

#include "core/base/endian.h"
#include "core/compression/container_inflater.h"
#include "core/compression/gzip_member.h"

namespace tfr {
namespace {

constexpr size_t kNowhere = ~size_t{0};
/// Length of the size of the content, at the end of a member.
constexpr size_t kContentSizeBytes = 4;
/// The highest compression ratio of deflate.
constexpr uint64_t kMostOfOneByte = 1032;
/// The first bytes of a gzip member: its magic number and the method.
constexpr size_t kMagicBytes = 3;

enum class Chain : uint8_t { kProven, kBroken, kMore };

/// Follows the members from index `at` on by the sizes in their headers.
Chain Follow(const uint8_t* data, size_t size, bool last, size_t at) {
  for (size_t next = at;;) {
    if (last && next == size) return Chain::kProven;
    if (size - next < kGzipMemberHeaderSize) {
      return last ? Chain::kBroken : Chain::kMore;
    }
    GzipMemberInfo info;
    if (!ReadGzipMemberInfo(data + next, size - next, &info)) {
      return Chain::kBroken;
    }
    if (next - at > kMostVerbatim) return Chain::kProven;
    if (info.member_size > kLongestFound) return Chain::kBroken;
    next += static_cast<size_t>(info.member_size);
    if (next > size) return last ? Chain::kBroken : Chain::kMore;
  }
}

}  // namespace

bool FindMember(const uint8_t* data, size_t size, bool last, size_t expected,
                size_t* at, MemberTrials* trials) {
  constexpr int kFirstByte = 0x1f;
  while (size - *at >= kGzipMemberHeaderSize) {
    const size_t starts = size - *at - kGzipMemberHeaderSize + 1;
    const void* const found = std::memchr(data + *at, kFirstByte, starts);
    if (found == nullptr) {
      *at += starts;
      break;
    }
    *at = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    GzipMemberInfo info;
    if (ReadGzipMemberInfo(data + *at, size - *at, &info)) {
      if (*at == expected) return true;
      const Chain chain = Follow(data, size, last, *at);
      if (chain == Chain::kProven) return true;
      if (chain == Chain::kMore) return false;
    }
    if (trials != nullptr && *at >= trials->from &&
        LooksLikeGzip(data + *at, kMagicBytes)) {
      const size_t tried = std::min(size - *at, RestartTrial::kTried);
      const bool all = last && tried == size - *at;
      if (tried < RestartTrial::kTried && !all) return false;
      trials->evidence = trials->trial->TryMember(data + *at, tried, all);
      if (trials->evidence != Evidence::kNone) return true;
    }
    ++*at;
  }
  return false;
}

MemberSearch::MemberSearch(RawInput* raw, const DamagedMember& damaged)
    : raw_(raw),
      damaged_(damaged),
      raw_at_(damaged.used - raw->used()),
      index_(raw->keeps() ? raw->kept() + 1 : raw->used()),
      lost_start_(raw->keeps() ? raw_at_ + raw->kept() : kUnknown) {}

void MemberSearch::TryMembers(RestartTrial* trial) {
  trial_ = trial;
  // A value that is a gzip file may lie before the damage.
  trial_from_ = damaged_.lost_from -
                std::min<uint64_t>(damaged_.lost_from, RawInput::kOverrun);
  if (!raw_->keeps()) index_ = 0;
}

/// Reads the sizes in the header of the damaged member, which may be wrong,
/// once the header is there.
void MemberSearch::ReadLostSizes() {
  if (lost_end_ != kUnknown || lost_start_ == kUnknown ||
      lost_start_ < raw_at_) {
    return;
  }
  const auto at = static_cast<size_t>(lost_start_ - raw_at_);
  if (raw_->size() - at < kGzipMemberHeaderSize) return;
  GzipMemberInfo info;
  LoadGzipMemberSizes(raw_->data() + at, &info);
  if (info.member_size >= kUnknown - lost_start_) return;
  lost_end_ = lost_start_ + info.member_size;
  lost_records_ = info.records;
}

/// Moves `index_` to the next member, or to where it may begin. Returns true if
/// it is there.
bool MemberSearch::Find() {
  if (!seeks_members_) {
    index_ = raw_->size();
    return false;
  }
  ReadLostSizes();
  const bool there = lost_end_ != kUnknown && lost_end_ >= raw_at_ &&
                     lost_end_ - raw_at_ <= raw_->size();
  const size_t expected =
      there ? static_cast<size_t>(lost_end_ - raw_at_) : kNowhere;
  MemberTrials trials = {trial_, 0, Evidence::kProven};
  if (trial_from_ > raw_at_) {
    trials.from = static_cast<size_t>(trial_from_ - raw_at_);
  }
  const bool found =
      FindMember(raw_->data(), raw_->size(), raw_->ended(), expected, &index_,
                 trial_ == nullptr ? nullptr : &trials);
  evidence_ = trials.evidence;
  return found;
}

ReadState MemberSearch::Step(uint64_t* skipped, Fault* fault) {
  const bool found = Find();
  if (PassedCheckpoint()) {
    NoteCheckpoint(skipped);
    return ReadState::kEnd;
  }
  if (found) {
    NoteFound(skipped);
    return ReadState::kEnd;
  }
  if (raw_->ended()) {
    *skipped +=
        read() - (damaged_.counted_from == kUnknown ? damaged_.lost_from
                                                    : damaged_.counted_from);
    return ReadState::kEnd;
  }
  // The size at the end of the damaged member may lie before the next one.
  const size_t dropped = index_ - std::min(index_, kContentSizeBytes);
  raw_at_ += dropped;
  index_ -= dropped;
  return raw_->ReadMoreWithout(dropped, fault);
}

/// True if no member begins before the checkpoint.
bool MemberSearch::PassedCheckpoint() const {
  return checkpoint_ && raw_at_ + index_ >= checkpoint_->point.consumed;
}

/// The first lost byte, if reading goes on at `position`: damaged data may have
/// seemed to reach further.
uint64_t MemberSearch::LostBefore(uint64_t position) const {
  if (damaged_.lost_from <= position) return damaged_.lost_from;
  const bool known = lost_start_ != kUnknown && lost_start_ <= position;
  return std::min(position,
                  std::max(damaged_.not_before, known ? lost_start_ : 0));
}

/// Reading goes on at the checkpoint.
void MemberSearch::NoteCheckpoint(uint64_t* skipped) {
  const ContainerInflater::Point& point = checkpoint_->point;
  found_ = {point.consumed, point.produced, true, MemberStart(), checkpoint_};
  found_->torn = true;
  found_->lost_from = LostBefore(point.consumed);
  *skipped += point.consumed - found_->lost_from;
}

/// The next member begins at `index_`.
void MemberSearch::NoteFound(uint64_t* skipped) {
  const uint64_t position = raw_at_ + index_;
  const uint64_t start = damaged_.content;
  found_ = {position, start, false, {start, kUnknown, lost_start_}, nullptr};
  GzipMemberInfo info;
  found_->torn =
      !ReadGzipMemberInfo(raw_->data() + index_, raw_->size() - index_, &info);
  found_->evidence = evidence_;
  found_->lost_from = LostBefore(position);
  *skipped += position - found_->lost_from;
  if (position != lost_end_) return;
  found_->before.records = lost_records_;
  if (damaged_.content_end != kUnknown) {
    found_->offset = damaged_.content_end;
    found_->located = true;
  } else if (index_ >= kContentSizeBytes) {
    const uint64_t size = LoadLE32(raw_->data() + index_ - kContentSizeBytes);
    if (size <= kMostOfOneByte * (lost_end_ - lost_start_)) {
      found_->offset += size;
      found_->located = true;
    }
  }
}

}  // namespace tfr
