// The part of SlabStream that gathers records larger than a slab, and discards
// those that are too large.

#include <algorithm>
#include <cstring>

#include "core/record/slab_stream.h"

namespace tfr {
namespace {

/// Initial size of the buffer that gathers a record larger than its slab.
constexpr uint64_t kGatherSize = uint64_t{1} << 20;

}  // namespace

/// Handles a record larger than the slab. If the file size shows that the
/// record is complete, asks for a slab of its size at once. Otherwise gathers
/// it first, so that a false length takes no more memory than there are bytes.
/// Also gathers records whose length is unknown until their end.
FillOutcome SlabStream::Large(const CancelToken& cancel, SlabFill* fill) {
  const uint64_t remaining = gathering_ ? kUnknown : content_.Remaining();
  if (remaining != kUnknown && carry_.size() + remaining < need_) {
    return AtEnd(carry_.size() + remaining, carry_.size(), fill);
  }
  // While the source runs dry, a slab would be filled again and again.
  const bool gathers =
      remaining == kUnknown ||
      (content_.MayRunDry() && !MayLeaveUnread(options_.verify));
  while (gathers && (gathering_ || carry_.size() < need_)) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    const uint64_t wanted = gathering_ ? kUnknown : need_;
    if (carry_.size() == carry_.capacity() &&
        !carry_.Reserve(static_cast<size_t>(std::min(
            wanted, std::max<uint64_t>(2 * carry_.capacity(), kGatherSize))))) {
      return Halt(MemoryFault(), carry_.size(), fill);
    }
    const uint64_t room =
        std::min<uint64_t>(carry_.capacity(), wanted) - carry_.size();
    size_t got = 0;
    Fault fault;
    switch (Read(next_.offset + carry_.size(), carry_.data() + carry_.size(),
                 static_cast<size_t>(std::min<uint64_t>(room, kPollBytes)),
                 &got, &fault)) {
      case ReadState::kBytes:
        carry_.Resize(carry_.size() + got);
        break;
      case ReadState::kEnd:
        if (!gathering_) {
          fault = EndFault(carry_.size());
          return fault ? DamagedInCarry(fault, fill) : Ended(fill);
        }
        gathering_ = false;
        gathered_all_ = true;
        break;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        return HaltInCarry(fault, fill);
    }
    if (gathering_ && !Gathered(fill)) return FillOutcome::kHalt;
  }
  fill->grow_to = std::max<uint64_t>(need_, carry_.size());
  return FillOutcome::kGrow;
}

/// Checks whether the gathered record has ended. Returns false, with the stream
/// halted, if it is faulty.
bool SlabStream::Gathered(SlabFill* fill) {
  gathered_.slab = carry_.data();
  gathered_.size = gathered_.end = carry_.size();
  const Fault fault = framer_->Find(&gathered_, false, fill).fault;
  gathering_ = fill->frames.empty();
  // Framing the slab will find them again.
  fill->frames.Truncate(0);
  if (!gathering_ || !fault) return true;
  Halt(fault, 0, fill);
  return false;
}

/// Skips the rest of a record that is too large; returns kMore after its end.
FillOutcome SlabStream::Discard(const Window& scratch,
                                const CancelToken& cancel, SlabFill* fill) {
  const auto kept =
      static_cast<size_t>(std::min<uint64_t>(carry_.size(), discard_));
  bool right = true;
  if (kept > 0) {
    right = SkipBytes(carry_.data(), kept);
    std::memmove(carry_.data(), carry_.data() + kept, carry_.size() - kept);
    carry_.Resize(carry_.size() - kept);
  }
  while (discard_ > 0) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    const uint64_t stepped = content_.StepOver(discard_);
    discard_ -= stepped;
    if (stepped > 0) continue;
    size_t got = 0;
    Fault fault;
    switch (Read(next_.offset + need_ - discard_, scratch.slab,
                 static_cast<size_t>(
                     std::min<uint64_t>({discard_, scratch.size, kPollBytes})),
                 &got, &fault)) {
      case ReadState::kBytes:
        right = SkipBytes(scratch.slab, got);
        break;
      case ReadState::kEnd:
        return AtEnd(need_ - discard_, need_ - discard_, fill);
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        return Halt(fault, need_ - discard_, fill);
    }
  }
  next_.offset += need_;
  ++next_.record;
  need_ = 0;
  recovery_.Framed(next_.offset);
  if (!right && next_.offset > content_.Proven()) doubt_ = next_.offset;
  return FillOutcome::kMore;
}

/// Skips the next `size` bytes of a record that is too large. Returns false if
/// they show that the record is faulty.
bool SlabStream::SkipBytes(const uint8_t* bytes, size_t size) {
  const uint64_t at = need_ - discard_;
  discard_ -= size;
  return !JudgesInOrder(content_.compression()) ||
         framer_->Skip(need_, at, bytes, size);
}

void SlabStream::Skip() {
  if (recovery_.Resume() || recovery_.outcome() != FillOutcome::kHalt ||
      need_ == 0 || recovery_.fault().code != FaultCode::kRecordTooLarge) {
    return;
  }
  recovery_.Forget();
  discard_ = need_;
}

}  // namespace tfr
