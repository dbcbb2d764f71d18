// The part of SlabStream that ends it at a fault, searches for the end of a
// lost region, and goes on after damage.

#include <algorithm>
#include <cstring>

#include "core/record/slab_stream.h"

namespace tfr {

/// Ends the stream after the last record. If a damaged record should reach
/// beyond this end, records found in it may be its data: halts once to say so.
FillOutcome SlabStream::Ended(SlabFill* fill) {
  const uint64_t doubtful = salvage_.AtEnd(next_);
  if (doubtful == 0) return recovery_.End();
  Fault fault = MakeFault(FaultCode::kTruncated, "data", 0, 0);
  fault.record = next_.record;
  fault.offset = fault.region_end = next_.offset;
  fault.lost = 0;
  fault.resumes = true;
  fault.doubtful = doubtful;
  return recovery_.HaltAtRegion(fault, next_, fill);
}

/// Handles damage of the content at the unframed bytes of the window: halts, or
/// lets the next fill look for the end of the lost region.
FillOutcome SlabStream::Damaged(const Window& window, const Fault& fault,
                                SlabFill* fill) {
  if (!options_.salvages) return HaltIn(window, fault, fill);
  return Keep(window, fill) ? DamagedInCarry(fault, fill) : FillOutcome::kHalt;
}

/// The same for the bytes in `carry_`, and those that follow them.
FillOutcome SlabStream::DamagedInCarry(const Fault& fault, SlabFill* fill) {
  if (!options_.salvages) return HaltInCarry(fault, fill);
  salvage_.Begin(fault, next_, need_);
  proven_ = ended_ = false;
  return FillOutcome::kMore;
}

/// Compressed data was damaged, and goes on: lets the search for the next
/// record begin there.
void SlabStream::BeginTorn() {
  const bool doubtful = content_.next_member()->evidence == Evidence::kDoubtful;
  const uint64_t offset = recovery_.ResumeTorn();
  carry_.Resize(0);
  salvage_.BeginTorn(recovery_.fault(), recovery_.halted(), offset,
                     content_.located(), doubtful);
  proven_ = true;
  ended_ = false;
}

/// Looks for the end of the lost region, and halts with its fault.
FillOutcome SlabStream::FindRegion(const CancelToken& cancel, SlabFill* fill) {
  if (!proven_) {
    const FillOutcome outcome = ProveDamage(cancel, fill);
    if (!proven_) return outcome;
  }
  for (;;) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    const Salvage::Answer answer = salvage_.Look(&carry_, ended_);
    if (answer != Salvage::Answer::kMore) {
      const uint64_t record =
          salvage_.torn() ? content_.RecordAt(salvage_.offset()) : kUnknown;
      if (record != kUnknown) salvage_.Number(record);
      return recovery_.HaltAtRegion(salvage_.fault(), salvage_.after(), fill);
    }
    const size_t size = carry_.size();
    if (size + kPollBytes > carry_.capacity() &&
        !carry_.Reserve(std::max(size + kPollBytes, 2 * size))) {
      salvage_.Abandon();
      return Halt(MemoryFault(), size, fill);
    }
    size_t got = 0;
    Fault fault;
    switch (Read(salvage_.offset() + size, carry_.data() + size, kPollBytes,
                 &got, &fault)) {
      case ReadState::kBytes:
        carry_.Resize(size + got);
        break;
      case ReadState::kEnd:
        ended_ = true;
        break;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        salvage_.Abandon();
        carry_.Resize(0);
        return Halt(salvage_.fault(), salvage_.LostWith(size), fill);
    }
  }
}

/// Sets `proven_` if the content is at fault and not its compression, or if
/// this cannot be found out. Otherwise halts with the fault of inflating.
FillOutcome SlabStream::ProveDamage(const CancelToken& cancel, SlabFill* fill) {
  Fault fault;
  switch (content_.Prove(salvage_.doubt(), cancel, &fault)) {
    case ContentStream::Proof::kDry:
      return FillOutcome::kInput;
    case ContentStream::Proof::kCancelled:
      return FillOutcome::kCancelled;
    case ContentStream::Proof::kRight:
    case ContentStream::Proof::kTooFar:
      proven_ = true;
      return FillOutcome::kMore;
    case ContentStream::Proof::kWrong:
      break;
  }
  salvage_.Abandon();
  return HaltInCarry(fault, fill);
}

void SlabStream::ContinueAfterRegion() {
  next_ = recovery_.ContinueAfterRegion();
  need_ = 0;
  // Bytes that can be read again need no slab that holds all of them.
  if (carry_.size() > 0 && content_.StepBack(carry_.size())) carry_.Resize(0);
}

/// Halts with a fault at the unframed bytes of the window. Keeps those from the
/// next member on, if one begins among them.
FillOutcome SlabStream::HaltIn(const Window& window, const Fault& fault,
                               SlabFill* fill) {
  const size_t rest = window.left();
  const size_t lost = recovery_.LostOf(rest, next_.offset, fault);
  if (lost == rest) return Halt(fault, rest, fill);
  if (!carry_.Assign(window.slab + window.begin + lost, rest - lost)) {
    return Halt(MemoryFault(), rest, fill);
  }
  recovery_.CarryNext();
  return Halt(fault, lost, fill);
}

/// The same for the bytes in `carry_`.
FillOutcome SlabStream::HaltInCarry(const Fault& fault, SlabFill* fill) {
  const size_t rest = carry_.size();
  const size_t lost = recovery_.LostOf(rest, next_.offset, fault);
  if (lost == rest) return Halt(fault, rest, fill);
  std::memmove(carry_.data(), carry_.data() + lost, rest - lost);
  carry_.Resize(rest - lost);
  recovery_.CarryNext();
  return Halt(fault, lost, fill);
}

/// Ends the stream with `fault`. `unframed` bytes after it are no longer in the
/// window.
FillOutcome SlabStream::Halt(const Fault& fault, uint64_t unframed,
                             SlabFill* fill) {
  Fault halt = fault;
  if (options_.salvages) halt.doubtful += salvage_.BreakOff(next_);
  return recovery_.Halt(halt, unframed, next_, fill);
}

/// Goes on after damage: with the bytes in `carry_`, or with the next member
/// that the content has. Returns kMore if there is one.
FillOutcome SlabStream::Continue(const Window& scratch,
                                 const CancelToken& cancel, SlabFill* fill) {
  gathering_ = gathered_all_ = false;
  discard_ = doubt_ = 0;
  if (recovery_.at_region()) {
    ContinueAfterRegion();
    return FillOutcome::kMore;
  }
  if (!recovery_.carries_next()) carry_.Resize(0);
  const FillOutcome outcome =
      recovery_.Continue(scratch.slab, scratch.size, cancel, &next_, fill);
  if (outcome != FillOutcome::kMore || recovery_.counting()) return outcome;
  need_ = 0;
  check_length_ = true;
  return FillOutcome::kMore;
}

/// Returns kMore, with nothing to count, if the doubt is resolved.
FillOutcome SlabStream::ResolveDoubt(const CancelToken& cancel,
                                     SlabFill* fill) {
  Fault fault;
  switch (content_.Prove(doubt_, cancel, &fault)) {
    case ContentStream::Proof::kRight:
      doubt_ = 0;
      return FillOutcome::kMore;
    case ContentStream::Proof::kDry:
      return FillOutcome::kInput;
    case ContentStream::Proof::kCancelled:
      return FillOutcome::kCancelled;
    case ContentStream::Proof::kTooFar:
    case ContentStream::Proof::kWrong:
      break;
  }
  return Halt(fault, carry_.size(), fill);
}

}  // namespace tfr
