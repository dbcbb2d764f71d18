#include "core/record/slab_stream.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/crc32c/record_format.h"
#include "core/record/framing/length_chain.h"

namespace tfr {
namespace {

/// From this size on, records are framed by walking their headers.
constexpr uint64_t kLargeRecord = uint64_t{16} << 10;
/// A larger carry buffer is freed after use.
constexpr size_t kKeptCarry = size_t{4} << 20;
/// Content that one fill counts: a few milliseconds of work.
constexpr uint64_t kCountedBytes = uint64_t{16} << 20;

/// True if inflating begins where a gzip member does. The first record may lie
/// further on in the content.
bool BeginsWithAMember(const ReadStart& start) {
  return !start.from || start.from->point.between_members;
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
      next_{options.start.offset, options.start.record},
      recovery_(&content_,
                options.continues && options.content == ContentRule::kRecords &&
                    !options.one_stream && BeginsWithAMember(options.start),
                options.counts_lost, options.salvages),
      salvage_(options.max_record_bytes),
      index_(options.index.get()),
      check_length_(options.start.checked) {
  if (options.start.from) {
    content_.StartAt(options.start.from, options.start.offset);
  }
  content_.NoteCheckpoints(index_);
  if (options.checkpoints) {
    content_.KnowCheckpoints(options.checkpoints, options.least_segment);
  }
}

void SlabStream::FillSlab(uint8_t* slab, size_t size, const CancelToken& cancel,
                          SlabFill* fill) {
  FillOnce(slab, size, cancel, fill);
  if (options_.verify != Verify::kCounted || options_.salvages) return;
  const uint64_t stop = fill->base + kCountedBytes;
  while (fill->outcome == FillOutcome::kMore && !fill->frames.empty() &&
         next_.offset < stop && !cancel.cancelled()) {
    const StreamPlace last = {next_.offset, next_.record - 1};
    fill->frames.Truncate(0);
    fill->unread = 0;
    FillOnce(slab, size, cancel, fill);
    if (!fill->frames.empty() || fill->outcome == FillOutcome::kCancelled) {
      continue;
    }
    // Nothing follows, or not yet. The frame fits into memory that is there.
    fill->first_record = last.record;
    fill->base = last.offset;
    (void)fill->frames.Push({0, 0});
    // The next fill runs dry again, or asks for a larger slab again.
    if (fill->outcome == FillOutcome::kInput ||
        fill->outcome == FillOutcome::kGrow) {
      fill->outcome = FillOutcome::kMore;
      fill->grow_to = 0;
    }
    return;
  }
}

void SlabStream::FillOnce(uint8_t* slab, size_t size, const CancelToken& cancel,
                          SlabFill* fill) {
  fill->first_record = next_.record;
  fill->base = next_.offset;
  const Window empty{slab, size};
  fill->outcome = recovery_.counting() || salvage_.active()
                      ? FillOutcome::kMore
                      : Run(empty, cancel, fill);
  // Records framed before the halt are delivered first.
  while (fill->frames.empty()) {
    if (salvage_.active()) fill->outcome = FindRegion(cancel, fill);
    if (!recovery_.counting()) break;
    fill->outcome = recovery_.Count(slab, size, cancel, fill);
    if (!recovery_.torn()) break;
    BeginTorn();
  }
  fill->compressed_bytes = content_.consumed();
  fill->total_bytes = content_.total_bytes();
  fill->compression = content_.compression();
  NoteRecords(*fill);
  typical_frames_ = std::max<size_t>(fill->frames.size(), 64);
  large_ = fill->frames.empty() ? need_ >= kLargeRecord
                                : next_.offset - fill->base >=
                                      kLargeRecord * fill->frames.size();
}

/// After damage, numbers and offsets may be guesses, and no index has them.
void SlabStream::NoteRecords(const SlabFill& fill) {
  if (index_ == nullptr) return;
  try {
    index_->Note(fill);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    // The places noted so far are still right.
  }
  const bool damaged =
      fill.outcome == FillOutcome::kHalt &&
      (fill.halt.code != FaultCode::kRecordTooLarge || options_.salvages);
  if (!damaged && !recovery_.counting() && !salvage_.active()) return;
  index_ = nullptr;
  content_.NoteCheckpoints(nullptr);
}

FillOutcome SlabStream::Run(const Window& empty, const CancelToken& cancel,
                            SlabFill* fill) {
  if (recovery_.outcome() != FillOutcome::kMore) {
    fill->halt = recovery_.fault();
    return recovery_.outcome();
  }
  if (recovery_.continuing()) {
    const FillOutcome outcome = Continue(empty, cancel, fill);
    if (outcome != FillOutcome::kMore || recovery_.counting()) return outcome;
    fill->first_record = next_.record;
    fill->base = next_.offset;
  }
  if (discard_ > 0) {
    const FillOutcome outcome = Discard(empty, cancel, fill);
    if (outcome != FillOutcome::kMore) return outcome;
    fill->first_record = next_.record;
    fill->base = next_.offset;
  }
  if (doubt_ > 0) {
    const FillOutcome outcome = ResolveDoubt(cancel, fill);
    if (outcome != FillOutcome::kMore || recovery_.counting()) return outcome;
  }
  if (gathering_ || need_ > empty.size) return Large(cancel, fill);
  if (carry_.size() > empty.size) {
    fill->grow_to = carry_.size();
    return FillOutcome::kGrow;
  }

  if (large_ && !options_.salvages && Walk(empty.size, fill)) {
    return FillOutcome::kMore;
  }

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
        return Damaged(window, WrongLength(header), fill);
      }
    }
    const size_t judged = fill->frames.size();
    const Found found = Find(&window, gathered_all_, fill);
    if (options_.salvages) {
      const Found wrong = framer_->Judge(judged, &window, fill);
      if (wrong.fault) {
        Note(window, wrong.need, fill);
        return Damaged(window, wrong.fault, fill);
      }
    } else if (JudgesInOrder(content_.compression()) &&
               framer_->Doubts(judged, content_.Proven(), &window, fill)) {
      Note(window, 0, fill);
      if (fill->halt) return Halt(MemoryFault(), window.left(), fill);
      doubt_ = next_.offset;
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
  next_.offset += fill->unread;
  next_.record += fill->frames.size();
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
  next_.offset = fill->base + window.begin;
  next_.record = fill->first_record + fill->frames.size();
  need_ = need;
  recovery_.Framed(next_.offset);
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
  if (options_.salvages || found.fault.code != FaultCode::kRecordTooLarge) {
    return Damaged(*window, found.fault, fill);
  }
  // `Skip` needs the bytes.
  return Keep(*window, fill) ? Halt(found.fault, 0, fill) : FillOutcome::kHalt;
}

/// Sets `fault->fitting` if the first length of the stream is at fault. Returns
/// false if the source ran dry.
bool SlabStream::CountFitting(Window* window, bool ended, Fault* fault) {
  if (fault->code != FaultCode::kCorruptLength || next_.offset > 0) return true;
  const auto read = [&](uint64_t at, uint8_t* dst, size_t size, size_t* got) {
    Fault ignored;
    return Read(at, dst, size, got, &ignored);
  };
  return CountFittingRecords(options_.max_record_bytes, read, ended, &content_,
                             window, &fault->fitting);
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

/// Handles a stream that ends with the bytes in the window.
FillOutcome SlabStream::AtEndOf(Window* window, SlabFill* fill) {
  Found found = Find(window, true, fill);
  CountFitting(window, true, &found.fault);
  if (!found.fault) found.fault = EndFault(window->left());
  if (!found.fault) return Ended(fill);
  return Damaged(*window, found.fault, fill);
}

/// Handles the end of the stream. `have` bytes of the next record exist, of
/// which `unframed` are no longer in the window.
FillOutcome SlabStream::AtEnd(uint64_t have, uint64_t unframed,
                              SlabFill* fill) {
  const Fault fault = EndFault(have);
  if (!fault) return Ended(fill);
  return options_.salvages ? DamagedInCarry(fault, fill)
                           : Halt(fault, unframed, fill);
}

/// The fault of a stream that ends after `have` bytes of the next record.
Fault SlabStream::EndFault(uint64_t have) {
  Fault fault = framer_->AtEnd(next_, have, need_);
  if (fault && content_.compressed()) {
    fault.compressed_offset = content_.consumed();
  }
  return fault;
}

void SlabStream::Complete(uint8_t* slab, const CancelToken& cancel,
                          SlabFill* fill) const {
  framer_->Complete(content_, slab, JudgesInOrder(fill->compression), cancel,
                    fill);
  // The result of interrupted work is incomplete.
  if (cancel.cancelled()) *fill = SlabFill();
}

}  // namespace tfr
