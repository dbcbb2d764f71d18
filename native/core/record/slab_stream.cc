#include "core/record/slab_stream.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/crc32c/record_format.h"
#include "core/record/length_chain.h"

namespace tfr {
namespace {

/// Initial size of the buffer that gathers a record larger than its slab.
constexpr uint64_t kGatherSize = uint64_t{1} << 20;
/// From this size on, records are framed by walking their headers.
constexpr uint64_t kLargeRecord = uint64_t{16} << 10;
/// A larger carry buffer is freed after use.
constexpr size_t kKeptCarry = size_t{4} << 20;

/// True if reading begins where a gzip member, and with it a record, does.
bool BeginsWithAMember(const ReadStart& start) {
  return !start.from || (start.from->point.between_members &&
                         start.from->point.produced == start.offset);
}

Fault WrongLength(const uint8_t* header) {
  return MakeFault(FaultCode::kCorruptLength, "length",
                   crc32c::Mask(crc32c::Value8(header)),
                   LoadLE32(header + kLengthSize));
}

}  // namespace

SlabStream::SlabStream(std::unique_ptr<ByteSource> source,
                       std::unique_ptr<Framer> framer,
                       const ReadOptions& options)
    : options_(options),
      framer_(std::move(framer)),
      content_(std::move(source), options.compression, options.ahead,
               options.content),
      offset_(options.start.offset),
      record_(options.start.record),
      seeks_(options.continues && options.content == ContentRule::kRecords &&
             !options.one_stream && BeginsWithAMember(options.start)),
      index_(options.index.get()),
      check_length_(options.start.checked) {
  if (options.start.from) {
    content_.StartAt(options.start.from, options.start.offset);
  }
  content_.NoteCheckpoints(index_);
  if (seeks_) content_.SeekMembers();
}

void SlabStream::FillSlab(uint8_t* slab, size_t size, const CancelToken& cancel,
                          SlabFill* fill) {
  fill->first_record = record_;
  fill->base = offset_;
  const Window empty{slab, size};
  fill->outcome = counting_ ? FillOutcome::kMore : Run(empty, cancel, fill);
  // Records framed before the halt are delivered first.
  if (counting_ && fill->frames.empty()) {
    fill->outcome = CountLost(empty, cancel, fill);
  }
  fill->compressed_bytes = content_.consumed();
  fill->total_bytes = content_.total_bytes();
  fill->compression = content_.compression();
  NoteRecords(*fill);
  typical_frames_ = std::max<size_t>(fill->frames.size(), 64);
  large_ = fill->frames.empty()
               ? need_ >= kLargeRecord
               : offset_ - fill->base >= kLargeRecord * fill->frames.size();
}

/// After damage, numbers and offsets may be guesses, and no index has them.
void SlabStream::NoteRecords(const SlabFill& fill) {
  if (index_ == nullptr) return;
  try {
    index_->Note(fill);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    // The places noted so far are still right.
  }
  const bool damaged = fill.outcome == FillOutcome::kHalt &&
                       fill.halt.code != FaultCode::kRecordTooLarge;
  if (!damaged && !counting_) return;
  index_ = nullptr;
  content_.NoteCheckpoints(nullptr);
}

FillOutcome SlabStream::Run(const Window& empty, const CancelToken& cancel,
                            SlabFill* fill) {
  if (final_ != FillOutcome::kMore) {
    fill->halt = final_fault_;
    return final_;
  }
  if (continuing_) {
    const FillOutcome outcome = Continue(empty, cancel, fill);
    if (outcome != FillOutcome::kMore) return outcome;
    fill->first_record = record_;
    fill->base = offset_;
  }
  if (discard_ > 0) {
    const FillOutcome outcome = Discard(empty, cancel, fill);
    if (outcome != FillOutcome::kMore) return outcome;
    fill->first_record = record_;
    fill->base = offset_;
  }
  if (doubt_ > 0) {
    const FillOutcome outcome = ResolveDoubt(cancel, fill);
    if (outcome != FillOutcome::kMore || counting_) return outcome;
  }
  if (gathering_ || need_ > empty.size) return Large(cancel, fill);
  if (carry_.size() > empty.size) {
    fill->grow_to = carry_.size();
    return FillOutcome::kGrow;
  }

  if (large_ && Walk(empty.size, fill)) return FillOutcome::kMore;

  Window window = empty;
  window.end = carry_.size();
  if (window.end > 0) std::memcpy(window.slab, carry_.data(), window.end);
  carry_.Resize(0);
  if (carry_.capacity() > kKeptCarry) carry_.Free();
  if (fill->frames.Room(typical_frames_ + typical_frames_ / 8) == nullptr) {
    return Halt(MemoryFault(), window.end, fill);
  }

  for (;;) {
    if (check_length_ && window.left() >= kHeaderSize) {
      check_length_ = false;
      const uint8_t* const header = window.slab + window.begin;
      if (!LengthIsRight(header)) {
        return HaltIn(window, WrongLength(header), fill);
      }
    }
    const size_t judged = fill->frames.size();
    const Found found = Find(&window, gathered_all_, fill);
    if (JudgesInOrder(content_.compression()) &&
        framer_->Doubts(judged, content_.Proven(), &window, fill)) {
      Note(window, 0, fill);
      if (fill->halt) return Halt(MemoryFault(), window.left(), fill);
      doubt_ = offset_;
      return Leave(window, FillOutcome::kMore, fill);
    }
    if (found.fault) return Stop(&window, found, fill);
    if (window.end == window.size || need_ > window.size - window.begin) {
      if (window.begin > 0) return Leave(window, FillOutcome::kMore, fill);
      if (!Keep(window, fill)) return FillOutcome::kHalt;
      gathering_ = need_ == 0;
      gathered_ = Window();
      return Large(cancel, fill);
    }
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    size_t got = 0;
    Fault fault;
    switch (Read(fill->base + window.end, window.slab + window.end,
                 std::min(window.size - window.end, kPollBytes), &got,
                 &fault)) {
      case ReadState::kBytes:
        window.end += got;
        break;
      case ReadState::kEnd:
        return AtEndOf(&window, fill);
      case ReadState::kDry:
        return Leave(
            window, window.begin > 0 ? FillOutcome::kMore : FillOutcome::kInput,
            fill);
      case ReadState::kFault:
        return HaltIn(window, fault, fill);
    }
  }
}

/// Reads content, the first byte of which is at stream offset `at`, and notes
/// where a member of ours begins.
ReadState SlabStream::Read(uint64_t at, uint8_t* dst, size_t size, size_t* got,
                           Fault* fault) {
  const ReadState state = content_.Read(dst, size, got, fault);
  if (!seeks_ || state != ReadState::kBytes) return state;
  const ContentStream::Member& member = content_.member();
  if (member.offset != at || *got == 0) return state;
  if (at == offset_) {
    member_ = {at, record_, member.records};
  } else if (next_.offset == kUnknown && member.records != kUnknown) {
    next_ = member;
  }
  return state;
}

/// Frames by headers alone, up to `limit` bytes. Returns false, with no effect,
/// if headers cannot be read alone, or there are no frames.
bool SlabStream::Walk(size_t limit, SlabFill* fill) {
  // Steps back over the head, which is short, so that it is read again.
  if (carry_.size() > 0 || !content_.StepBack(0)) return false;
  const uint64_t position = content_.Position();
  const uint64_t remaining = content_.Remaining();
  if (remaining == kUnknown) return false;
  fill->unread = framer_->Walk(
      content_, position, std::min<uint64_t>(limit, remaining), &fill->frames);
  const uint64_t stepped = content_.StepOver(fill->unread);
  if (stepped == 0 || stepped < fill->unread) {
    // Nothing to walk over, or the file became shorter: reading will report it.
    content_.StepBack(stepped);
    fill->frames.Truncate(0);
    fill->unread = 0;
    return false;
  }
  fill->unread_at = position;
  offset_ += fill->unread;
  record_ += fill->frames.size();
  need_ = 0;
  return true;
}

Found SlabStream::Find(Window* window, bool last, SlabFill* fill) {
  const Found found = framer_->Find(window, last, fill);
  Note(*window, found.need, fill);
  return found;
}

/// Records the position after the frames, where a record of `need` bytes
/// begins.
void SlabStream::Note(const Window& window, uint64_t need, SlabFill* fill) {
  offset_ = fill->base + window.begin;
  record_ = fill->first_record + fill->frames.size();
  need_ = need;
  ForgetCrossed();
}

/// After a record that crosses the start of a member, it is not known with
/// which record that member begins.
void SlabStream::ForgetCrossed() {
  if (next_.offset > offset_) return;
  next_ = ContentStream::Member();
  member_ = MemberPlace();
}

/// Halts with the framer's fault.
FillOutcome SlabStream::Stop(Window* window, Found found, SlabFill* fill) {
  if (window->left() < found.look) {
    const size_t want = window->begin + found.look;
    ReadState state = ReadState::kBytes;
    while (window->end < want && state == ReadState::kBytes) {
      size_t got = 0;
      Fault ignored;
      state = Read(fill->base + window->end, window->slab + window->end,
                   want - window->end, &got, &ignored);
      window->end += got;
    }
    if (state == ReadState::kDry) {
      return Leave(*window, FillOutcome::kInput, fill);
    }
    found = Find(window, true, fill);
  }
  if (!CountFitting(window, false, &found.fault)) {
    return Leave(*window, FillOutcome::kInput, fill);
  }
  if (found.fault.code != FaultCode::kRecordTooLarge) {
    return HaltIn(*window, found.fault, fill);
  }
  // `Skip` needs the bytes.
  return Keep(*window, fill) ? Halt(found.fault, 0, fill) : FillOutcome::kHalt;
}

/// Sets `fault->fitting` if the first length of the stream is at fault. Reads
/// on, as far as the window goes; headers after it are read from the file, if
/// the source is one. Returns false if the source ran dry.
bool SlabStream::CountFitting(Window* window, bool ended, Fault* fault) {
  if (fault->code != FaultCode::kCorruptLength || offset_ > 0) return true;
  LengthChain chain(options_.max_record_bytes);
  uint64_t end = kUnknown;
  for (bool follows = true; follows;) {
    const uint64_t need = chain.next() + kHeaderSize;
    uint8_t far[kHeaderSize];
    size_t got = 0;
    Fault ignored;
    if (need <= window->end) {
      follows = chain.Follow(window->slab + chain.next());
    } else if (ended) {
      end = window->end;
      break;
    } else if (need <= window->size) {
      const ReadState state = Read(window->end, window->slab + window->end,
                                   need - window->end, &got, &ignored);
      window->end += got;
      if (state == ReadState::kDry) return false;
      ended = state != ReadState::kBytes;
    } else if (!content_.compressed() && content_.Position() != kUnknown) {
      end = content_.total_bytes();
      const ReadState state =
          content_.ReadAt(chain.next(), far, kHeaderSize, &got, &ignored);
      if (state == ReadState::kDry) {
        content_.Want(chain.next(), kHeaderSize);
        return false;
      }
      if (state != ReadState::kBytes) break;
      follows = chain.Follow(far);
    } else {
      break;
    }
  }
  fault->fitting = chain.Fitting(end);
  return true;
}

/// Keeps the unframed bytes for the next fill. Returns false, with the stream
/// halted, when memory runs out.
bool SlabStream::Keep(const Window& window, SlabFill* fill) {
  const size_t rest = window.left();
  if (rest == 0 || content_.StepBack(rest)) return true;
  if (carry_.Assign(window.slab + window.begin, rest)) return true;
  Halt(MemoryFault(), rest, fill);
  return false;
}

FillOutcome SlabStream::Leave(const Window& window, FillOutcome outcome,
                              SlabFill* fill) {
  return Keep(window, fill) ? outcome : FillOutcome::kHalt;
}

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
      (content_.MayRunDry() && options_.verify != Verify::kUnread);
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
    switch (Read(offset_ + carry_.size(), carry_.data() + carry_.size(),
                 static_cast<size_t>(std::min<uint64_t>(room, kPollBytes)),
                 &got, &fault)) {
      case ReadState::kBytes:
        carry_.Resize(carry_.size() + got);
        break;
      case ReadState::kEnd:
        if (!gathering_) {
          fault = EndFault(carry_.size());
          if (!fault) return final_ = FillOutcome::kEnd;
          return HaltInCarry(fault, fill);
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
    switch (Read(offset_ + need_ - discard_, scratch.slab,
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
  offset_ += need_;
  ++record_;
  need_ = 0;
  ForgetCrossed();
  if (!right && offset_ > content_.Proven()) doubt_ = offset_;
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
  if (final_ == FillOutcome::kHalt && final_fault_.resumes) {
    final_ = FillOutcome::kMore;
    continuing_ = true;
    return;
  }
  if (final_ != FillOutcome::kHalt || need_ == 0 ||
      final_fault_.code != FaultCode::kRecordTooLarge) {
    return;
  }
  final_ = FillOutcome::kMore;
  final_fault_ = Fault();
  discard_ = need_;
}

/// Handles a stream that ends with the bytes in the window.
FillOutcome SlabStream::AtEndOf(Window* window, SlabFill* fill) {
  Found found = Find(window, true, fill);
  CountFitting(window, true, &found.fault);
  if (!found.fault) found.fault = EndFault(window->left());
  if (!found.fault) return final_ = FillOutcome::kEnd;
  return HaltIn(*window, found.fault, fill);
}

/// Handles the end of the stream. `have` bytes of the next record exist, of
/// which `unframed` are no longer in the window.
FillOutcome SlabStream::AtEnd(uint64_t have, uint64_t unframed,
                              SlabFill* fill) {
  const Fault fault = EndFault(have);
  if (!fault) return final_ = FillOutcome::kEnd;
  return Halt(fault, unframed, fill);
}

/// The fault of a stream that ends after `have` bytes of the next record.
Fault SlabStream::EndFault(uint64_t have) {
  Fault fault = framer_->AtEnd({offset_, record_}, have, need_);
  if (fault && content_.compressed()) {
    fault.compressed_offset = content_.consumed();
  }
  return fault;
}

/// True if reading may go on after `fault` with a later gzip member.
bool SlabStream::MayResume(const Fault& fault) const {
  return seeks_ && content_.MayResume() &&
         (fault.code == FaultCode::kTruncated ||
          fault.code == FaultCode::kTrailingData ||
          fault.code == FaultCode::kCorruptLength ||
          fault.code == FaultCode::kCompression);
}

/// Halts with a fault at the unframed bytes of the window. Keeps those from the
/// next member on, if one begins among them.
FillOutcome SlabStream::HaltIn(const Window& window, const Fault& fault,
                               SlabFill* fill) {
  const size_t rest = window.left();
  if (next_.offset != kUnknown && next_.offset - offset_ < rest &&
      MayResume(fault)) {
    const auto lost = static_cast<size_t>(next_.offset - offset_);
    if (!carry_.Assign(window.slab + window.begin + lost, rest - lost)) {
      return Halt(MemoryFault(), rest, fill);
    }
    carries_next_ = true;
    return Halt(fault, lost, fill);
  }
  return Halt(fault, rest, fill);
}

/// The same for the bytes in `carry_`.
FillOutcome SlabStream::HaltInCarry(const Fault& fault, SlabFill* fill) {
  const size_t rest = carry_.size();
  if (next_.offset == kUnknown || next_.offset - offset_ >= rest ||
      !MayResume(fault)) {
    return Halt(fault, rest, fill);
  }
  const auto lost = static_cast<size_t>(next_.offset - offset_);
  std::memmove(carry_.data(), carry_.data() + lost, rest - lost);
  carry_.Resize(rest - lost);
  carries_next_ = true;
  return Halt(fault, lost, fill);
}

/// Ends the stream with `fault`. `unframed` bytes after it are no longer in the
/// window. If the number of lost bytes is wanted, `CountLost` counts the
/// remaining ones next.
FillOutcome SlabStream::Halt(Fault fault, uint64_t unframed, SlabFill* fill) {
  fault.record = record_;
  if (fault.offset == kUnknown) fault.offset = offset_;
  fault.resumes = MayResume(fault);
  const bool counts =
      options_.counts_lost && fault.code != FaultCode::kRecordTooLarge &&
      fault.code != FaultCode::kSystem && fault.code != FaultCode::kOutOfMemory;
  if (counts) fault.lost = unframed;
  if (carries_next_) fault.resume_at = next_.position;
  counting_ = counts && !carries_next_;
  if (counting_) {
    final_fault_ = fault;
    return FillOutcome::kMore;
  }
  fill->halt = final_fault_ = fault;
  return final_ = FillOutcome::kHalt;
}

/// Goes on after damage: with the bytes in `carry_`, or with the next member
/// that the content has. Returns kMore if there is one.
FillOutcome SlabStream::Continue(const Window& scratch,
                                 const CancelToken& cancel, SlabFill* fill) {
  gathering_ = gathered_all_ = false;
  discard_ = doubt_ = 0;
  if (std::exchange(carries_next_, false)) {
    const bool counted =
        member_.first_record != kUnknown && member_.records != kUnknown;
    StartAt(counted ? member_.first_record + member_.records : 0, next_);
    return FillOutcome::kMore;
  }
  carry_.Resize(0);
  while (content_.next_member() == nullptr) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    uint64_t skipped = 0;
    switch (content_.SkipRest(scratch.slab, std::min(scratch.size, kPollBytes),
                              &skipped)) {
      case ReadState::kBytes:
        continue;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault: {
        continuing_ = false;
        Fault fault;
        size_t got = 0;
        content_.Read(scratch.slab, scratch.size, &got, &fault);
        return Halt(fault, 0, fill);
      }
      case ReadState::kEnd:
        if (content_.next_member() != nullptr) continue;
        continuing_ = false;
        return final_ = FillOutcome::kEnd;
    }
  }
  const ContentStream::Member before = content_.next_member()->before;
  uint64_t first = kUnknown;
  if (before.offset == member_.offset) {
    first = member_.first_record;
  } else if (before.offset == offset_) {
    first = record_;
  }
  const bool counted = first != kUnknown && before.records != kUnknown;
  ContentStream::Member next;
  next.offset = content_.Resume(offset_);
  StartAt(counted ? first + before.records : 0, next);
  return FillOutcome::kMore;
}

/// Makes the next record the first one of `member`. `record` is its number, if
/// it can be: else one record counts as lost, if any byte is.
void SlabStream::StartAt(uint64_t record, const ContentStream::Member& member) {
  record_ = record >= record_ ? record : record_ + (final_fault_.lost > 0);
  offset_ = member.offset;
  need_ = 0;
  continuing_ = false;
  check_length_ = true;
  member_ = {offset_, record_, member.records};
  next_ = ContentStream::Member();
  final_fault_ = Fault();
}

FillOutcome SlabStream::CountLost(const Window& scratch,
                                  const CancelToken& cancel, SlabFill* fill) {
  for (;;) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    switch (content_.SkipRest(scratch.slab, std::min(scratch.size, kPollBytes),
                              &final_fault_.lost)) {
      case ReadState::kBytes:
        continue;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        final_fault_.lost = kUnknown;
        final_fault_.resumes = false;
        break;
      case ReadState::kEnd:
        final_fault_.resumes = content_.next_member() != nullptr;
        if (final_fault_.resumes) {
          final_fault_.resume_at = content_.next_member()->position;
        }
        break;
    }
    counting_ = false;
    fill->halt = final_fault_;
    return final_ = FillOutcome::kHalt;
  }
}

/// Returns kMore, with `counting_` unset, if the doubt is resolved.
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
    case ContentStream::Proof::kWrong:
      break;
  }
  return Halt(fault, carry_.size(), fill);
}

void SlabStream::Complete(uint8_t* slab, const CancelToken& cancel,
                          SlabFill* fill) const {
  framer_->Complete(content_, slab, JudgesInOrder(fill->compression), cancel,
                    fill);
  // The result of interrupted work is incomplete.
  if (cancel.cancelled()) *fill = SlabFill();
}

}  // namespace tfr
