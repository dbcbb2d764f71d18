#include "core/record/recovery/recovery.h"

#include <algorithm>
#include <utility>

#include "core/record/recovery/frame_search.h"

namespace tfr {
Recovery::Recovery(ContentStream* content, bool seeks, bool counts_lost,
                   bool salvages)
    : content_(content),
      seeks_(seeks),
      counts_lost_(counts_lost),
      salvages_(salvages) {
  if (seeks_) content_->SeekMembers();
  if (salvages_) content_->Salvage(HoldsWholeRecord);
}

ReadState Recovery::Read(uint64_t at, const StreamPlace& next, uint8_t* dst,
                         size_t size, size_t* got, Fault* fault) {
  const ReadState state = content_->Read(dst, size, got, fault);
  if (seeks_ && state == ReadState::kBytes && *got > 0) {
    members_.Read(content_->member(), at, next);
  }
  return state;
}

/// True if reading may go on after `fault` with a later gzip member.
bool Recovery::MayResume(const Fault& fault) const {
  return (seeks_ || salvages_) && content_->MayResume() &&
         (fault.code == FaultCode::kTruncated ||
          fault.code == FaultCode::kTrailingData ||
          fault.code == FaultCode::kCorruptLength ||
          fault.code == FaultCode::kCompression ||
          (salvages_ && (fault.code == FaultCode::kCorruptData ||
                         fault.code == FaultCode::kNotTFRecord)));
}

size_t Recovery::LostOf(size_t size, uint64_t offset,
                        const Fault& fault) const {
  return MayResume(fault) ? members_.Before(offset, size) : size;
}

FillOutcome Recovery::Halt(Fault fault, uint64_t lost, const StreamPlace& next,
                           SlabFill* fill) {
  at_region_ = false;
  fault.resume_at = fault.region_end = fault.resume_record = kUnknown;
  fault.record = next.record;
  if (fault.offset == kUnknown) fault.offset = next.offset;
  fault.resumes = MayResume(fault);
  const bool counts =
      counts_lost_ && fault.code != FaultCode::kRecordTooLarge &&
      fault.code != FaultCode::kSystem && fault.code != FaultCode::kOutOfMemory;
  if (counts) fault.lost = lost;
  halted_ = next;
  content_->LoseFrom(next.offset);
  fault_ = fault;
  if (carries_next_) {
    fault_.resume_at = members_.next().position;
    fault_.resume_record = NumberAfter(members_.FirstOfNext(), next.record);
  }
  counting_ = counts && !carries_next_;
  if (counting_) return FillOutcome::kMore;
  fill->halt = fault_;
  return outcome_ = FillOutcome::kHalt;
}

FillOutcome Recovery::Count(uint8_t* scratch, size_t size,
                            const CancelToken& cancel, SlabFill* fill) {
  for (;;) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    switch (
        content_->SkipRest(scratch, std::min(size, kPollBytes), &fault_.lost)) {
      case ReadState::kBytes:
        continue;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        fault_.lost = kUnknown;
        fault_.resumes = false;
        break;
      case ReadState::kEnd:
        fault_.resumes = content_->next_member() != nullptr;
        if (fault_.resumes) {
          const NextMember& member = *content_->next_member();
          fault_.resume_at = member.position;
          if (salvages_ && member.lost_from < fault_.lost_from() &&
              fault_.compressed_offset != kUnknown) {
            fault_.compressed_offset = member.lost_from;
            fault_.trailer_end = kUnknown;
          }
          torn_ = member.torn || member.evidence != Evidence::kProven;
          if (torn_) {
            counting_ = false;
            return FillOutcome::kMore;
          }
          fault_.resume_record = NumberAfter(
              members_.FirstAfter(member.before, halted_), halted_.record);
        }
        break;
    }
    counting_ = false;
    fill->halt = fault_;
    return outcome_ = FillOutcome::kHalt;
  }
}

uint64_t Recovery::ResumeTorn() {
  torn_ = false;
  const uint64_t offset = content_->Resume(halted_.offset);
  members_ = MemberNumbers();
  return offset;
}

FillOutcome Recovery::HaltAtRegion(const Fault& fault, const StreamPlace& next,
                                   SlabFill* fill) {
  at_region_ = true;
  after_region_ = next;
  fault_ = fault;
  fill->halt = fault_;
  return outcome_ = FillOutcome::kHalt;
}

bool Recovery::Resume() {
  if (outcome_ != FillOutcome::kHalt || !fault_.resumes) return false;
  outcome_ = FillOutcome::kMore;
  return continuing_ = true;
}

void Recovery::Forget() {
  outcome_ = FillOutcome::kMore;
  fault_ = Fault();
}

StreamPlace Recovery::ContinueAfterRegion() {
  continuing_ = at_region_ = false;
  fault_ = Fault();
  Framed(after_region_.offset);
  return after_region_;
}

FillOutcome Recovery::Continue(uint8_t* scratch, size_t size,
                               const CancelToken& cancel, StreamPlace* next,
                               SlabFill* fill) {
  if (std::exchange(carries_next_, false)) {
    Begin(members_.FirstOfNext(), members_.next(), next);
    return FillOutcome::kMore;
  }
  while (content_->next_member() == nullptr) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    uint64_t skipped = 0;
    switch (content_->SkipRest(scratch, std::min(size, kPollBytes), &skipped)) {
      case ReadState::kBytes:
        continue;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault: {
        continuing_ = false;
        Fault fault;
        size_t got = 0;
        content_->Read(scratch, size, &got, &fault);
        return Halt(fault, 0, *next, fill);
      }
      case ReadState::kEnd:
        if (content_->next_member() != nullptr) continue;
        continuing_ = false;
        return End();
    }
  }
  const MemberStart before = content_->next_member()->before;
  uint64_t record = members_.FirstAfter(before, *next);
  const bool before_start = content_->before_start();
  MemberStart member;
  member.offset = content_->Resume(next->offset);
  // Only content before the start is lost, so its record keeps its number.
  if (before_start && member.offset == next->offset) record = next->record;
  Begin(record, member, next);
  // The start lies within a member, and nothing else is known about that.
  if (content_->before_start()) members_ = MemberNumbers();
  return FillOutcome::kMore;
}

/// Returns `record`, if it can be the number of the first record after damage
/// at the record `next`: else one record counts as lost, if any byte is.
uint64_t Recovery::NumberAfter(uint64_t record, uint64_t next) const {
  return record < next ? next + (fault_.lost > 0 ? 1 : 0) : record;
}

/// Makes the first record of `member` the next one. `record` is its number, if
/// it is known.
void Recovery::Begin(uint64_t record, const MemberStart& member,
                     StreamPlace* next) {
  record = NumberAfter(record, next->record);
  *next = {member.offset, record};
  members_.Begin(member, record);
  continuing_ = false;
  fault_ = Fault();
}

}  // namespace tfr
