// The part of ContentStream that proves content, finds its damage, and goes on
// after it.

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "core/base/cancel.h"
#include "core/content/content_stream.h"
#include "core/deflate/registry.h"

namespace tfr {
namespace {

/// Length of the size of the content, at the end of a member.
constexpr size_t kContentSizeBytes = 4;

}  // namespace

ContentStream::Proof ContentStream::Prove(uint64_t until,
                                          const CancelToken& cancel,
                                          Fault* fault) {
  CheckpointChecks* const checks = checks_ && located_ ? &*checks_ : nullptr;
  auto deciding = checks != nullptr ? checks->From(until) : nullptr;
  while (Proven() < until && !(checks_ && checks_->matched() >= until)) {
    if (deciding && !ahead_.segments() &&
        deciding->point.produced <= inflater_->produced()) {
      if (checks->Leads(*deciding)) {
        fault_ = MakeFault(FaultCode::kCompression, "deflate data", 0, 0);
        const ContainerInflater::Point& point = deciding->point;
        fault_.compressed_offset = point.consumed;
        told_ = inflater_->consumed();
        if (inflater_->produced() == point.produced) {
          told_ = std::min(told_, point.consumed);
        }
        *fault = fault_;
        return Proof::kWrong;
      }
      deciding = checks->From(deciding->point.produced + 1);
      continue;
    }
    if (cancel.cancelled()) return Proof::kCancelled;
    if (held_.left() >= kMostHeld) {
      fault->code = FaultCode::kCompression;
      fault->part = "proof";
      return Proof::kTooFar;
    }
    if (!held_.Grow()) {
      *fault = MemoryFault();
      return Proof::kWrong;
    }
    size_t got = 0;
    const uint64_t member = inflated_.offset;
    switch (ReadNext(held_.end(), std::min(held_.room(), kPollBytes), &got,
                     fault)) {
      case ReadState::kBytes:
        if (inflated_.offset != member) {
          // Only the last of several members is known.
          if (held_.has_member()) returned_ = MemberStart();
          held_.BeginMember();
        }
        held_.Add(got);
        break;
      case ReadState::kEnd:
        return Proof::kRight;
      case ReadState::kDry:
        return Proof::kDry;
      case ReadState::kFault:
        return Proof::kWrong;
    }
  }
  return Proof::kRight;
}

ReadState ContentStream::SkipRest(uint8_t* scratch, size_t size,
                                  uint64_t* skipped) {
  if (search_) return Search(&*search_, skipped);
  if (held_.at_member() && ours_ && inflated_.records != kUnknown) {
    *skipped += held_.SkipToMember();
    next_ = {inflated_.position, inflated_.offset, true, returned_, nullptr};
    return ReadState::kEnd;
  }
  *skipped += held_.left();
  held_.Drop();
  if (!fault_) {
    const uint64_t stepped = StepOver(kUnknown);
    *skipped += stepped;
    if (stepped > 0) return ReadState::kBytes;
    const MemberStart before = inflated_;
    size_t got = 0;
    Fault fault;
    const ReadState state = ReadNext(scratch, size, &got, &fault);
    if (state == ReadState::kBytes && ours_ &&
        inflated_.offset != before.offset && inflated_.records != kUnknown) {
      if (!held_.HoldMember(scratch, got)) {
        fault_ = MemoryFault();
        return ReadState::kFault;
      }
      next_ = {inflated_.position, inflated_.offset, true, before, nullptr};
      return ReadState::kEnd;
    }
    *skipped += got;
    if (state != ReadState::kFault) return state;
  }
  if (fault_.code == FaultCode::kSystem ||
      fault_.code == FaultCode::kOutOfMemory) {
    return ReadState::kFault;
  }
  if (!ours_ && !(trial_ && inflater_)) {
    return SkipRaw(scratch, size, skipped);
  }
  return Search(BeginSearch(), skipped);
}

MemberSearch* ContentStream::BeginSearch() {
  ahead_.End();
  DamagedMember damage;
  damage.used = inflater_->consumed();
  damage.lost_from = std::min(fault_.lost_from(), damage.used);
  damage.content = inflater_->proven();
  damage.not_before = restarted_at_;
  if (known_ && located_) {
    const auto before = known_->CheckpointUpTo(lost_content_);
    if (before) {
      damage.not_before = std::max(restarted_at_, before->point.consumed);
    }
  }
  if (told_ != kUnknown) damage.lost_from = damage.not_before;
  damage.counted_from = told_;
  // The size of the content, at the end of the member, is the fault.
  if (fault_.trailer_end == fault_.compressed_offset + kContentSizeBytes) {
    damage.content_end = inflater_->produced();
  }
  search_.emplace(&raw_, damage);
  if (trial_) {
    if (checks_) {
      search_->EndAt(checks_->AfterDamage(
          located_ ? restarted_at_
                   : std::max(restarted_at_, fault_.lost_from()),
          lost_content_));
    }
    search_->TryMembers(&*trial_);
    // If a checkpoint has shown the damage, it lies in the same member.
    if (compression_ != Compression::kGzip || told_ != kUnknown) {
      search_->SeekNoMembers();
    }
  }
  return &*search_;
}

/// One step of a search.
ReadState ContentStream::Search(MemberSearch* search, uint64_t* skipped) {
  Fault fault;
  const ReadState state = search->Step(skipped, &fault);
  if (state == ReadState::kFault) fault_ = fault;
  if (state != ReadState::kEnd) return state;
  const NextMember* const found = search->found();
  if (found != nullptr && (skip_ == 0 || found->located)) {
    next_ = *found;
  } else if (found != nullptr) {
    // Nothing says how much of its content comes before the start.
    skipping_raw_ = true;
    skipped_raw_ = search->read() - inflater_->consumed();
    *skipped += raw_.size() - search->index();
    search_.reset();
    ours_ = false;
    checks_.reset();
    trial_.reset();
    return ReadState::kBytes;
  } else {
    skipped_raw_ = search->read() - inflater_->consumed();
    search_.reset();
    ours_ = false;
    checks_.reset();
    trial_.reset();
  }
  return ReadState::kEnd;
}

uint64_t ContentStream::Resume(uint64_t least) {
  const NextMember next = next_.value_or(NextMember());
  next_.reset();
  if (!search_) return next.offset;
  const uint64_t offset = std::max(least, next.offset);
  at_start_ = true;
  inflated_ = MemberStart();
  fault_ = Fault();
  told_ = kUnknown;
  restarted_at_ = next.position;
  unconfirmed_ = next.from != nullptr;
  if (next.from) {
    located_ = true;
    skip_ = 0;
  } else {
    located_ = located_ && next.located;
    raw_.KeepFrom(search_->index());
    if (skip_ > 0) skip_ = least > next.offset ? least - next.offset : 0;
  }
  search_.reset();
  try {
    inflater_ = std::make_unique<ContainerInflater>(compression_,
                                                    NewStreamInflater(), true);
    bool right = false;
    if (next.from) {
      right = ResumeFrom(*next.from);
    } else {
      ContainerInflater::Point point;
      point.consumed = point.member_start = next.position;
      point.produced = point.proven = before_start() ? next.offset : offset;
      point.between_members = true;
      right = inflater_->Restore(point, nullptr, 0);
    }
    if (!right) fault_ = MemoryFault();
    ExpectCheck(inflater_->produced() + 1);
    if (next.from) {
      InflateAhead(next.from);
    } else {
      InflateMembersAhead();
    }
  } catch (const std::bad_alloc&) {
    fault_ = MemoryFault();
  }
  return offset;
}

/// Moves the source to `checkpoint`. Returns false if that is not possible.
bool ContentStream::ResumeFrom(const Checkpoint& checkpoint) {
  raw_.Restart();
  const uint64_t now = source_->Position();
  const uint64_t at = checkpoint.point.consumed;
  const bool moved = at < now ? source_->StepBack(now - at)
                              : source_->StepOver(at - now) == at - now;
  return moved &&
         Restore(checkpoint, inflater_.get()) == RestoreResult::kRestored;
}

ReadState ContentStream::SkipRaw(uint8_t* scratch, size_t size,
                                 uint64_t* skipped) {
  if (!skipping_raw_) {
    skipping_raw_ = true;
    const uint64_t used = inflater_ ? inflater_->consumed() : 0;
    skipped_raw_ = raw_.left();
    *skipped += skipped_raw_ + used - std::min(fault_.lost_from(), used);
  }
  const uint64_t stepped = source_->StepOver(kUnknown);
  size_t got = 0;
  Fault ignored;
  const ReadState state = stepped > 0
                              ? ReadState::kBytes
                              : source_->Read(scratch, size, &got, &ignored);
  skipped_raw_ += stepped + got;
  *skipped += stepped + got;
  return state;
}

}  // namespace tfr
