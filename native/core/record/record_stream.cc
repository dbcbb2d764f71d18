#include "core/record/record_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/record/format.h"
#include "core/record/header_walk.h"
#include "core/record/signature.h"

namespace tfr {
namespace {

/// First size of the buffer that gathers a record larger than its slab.
constexpr uint64_t kGatherSize = uint64_t{1} << 20;
/// Records of this many bytes are worth a walk over their headers.
constexpr uint64_t kLargeRecord = uint64_t{16} << 10;
/// A carry buffer above this is given back after use.
constexpr size_t kKeptCarry = size_t{4} << 20;

Fault MakeFault(FaultCode code, const char* part, uint64_t expected,
                uint64_t found) {
  Fault fault;
  fault.code = code;
  fault.part = part;
  fault.expected = expected;
  fault.found = found;
  return fault;
}

}  // namespace

RecordStream::RecordStream(std::unique_ptr<ByteSource> source,
                           const RecordStreamOptions& options)
    : options_(options),
      content_(std::move(source), options.compression, options.ahead),
      offset_(options.first_offset),
      record_(options.first_record) {}

void RecordStream::FillSlab(uint8_t* slab, size_t size,
                            const CancelToken& cancel, SlabFill* fill) {
  fill->first_record = record_;
  fill->base = offset_;
  const Window empty{slab, size};
  fill->outcome = counting_ ? FillOutcome::kMore : Run(empty, cancel, fill);
  // Records that were framed before are given first.
  if (counting_ && fill->frames.empty()) {
    fill->outcome = CountLost(empty, cancel, fill);
  }
  fill->compressed_bytes = content_.consumed();
  fill->total_bytes = content_.total_bytes();
  fill->compression = content_.compression();
  typical_frames_ = std::max<size_t>(fill->frames.size(), 64);
  large_ = fill->frames.empty()
               ? need_ >= kLargeRecord
               : offset_ - fill->base >= kLargeRecord * fill->frames.size();
}

FillOutcome RecordStream::Run(const Window& empty, const CancelToken& cancel,
                              SlabFill* fill) {
  if (final_ != FillOutcome::kMore) {
    fill->halt = final_fault_;
    return final_;
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
  if (need_ > empty.size) return Large(cancel, fill);
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
    const size_t judged = fill->frames.size();
    const Scanned scanned = Scan(&window, fill);
    if (JudgesInOrder(content_.compression()) &&
        !Judge(judged, &window, fill)) {
      return fill->halt ? Halt(MemoryFault(), window.end - window.begin, fill)
                        : Leave(window, FillOutcome::kMore, fill);
    }
    switch (scanned) {
      case Scanned::kNoMemory:
        return Halt(MemoryFault(), window.end - window.begin, fill);
      case Scanned::kBadLength:
        return BadLength(&window, fill);
      case Scanned::kTooLarge:
        return TooLarge(window, fill);
      case Scanned::kShort:
        break;
    }
    if (window.end == window.size || need_ > window.size - window.begin) {
      if (window.begin > 0) return Leave(window, FillOutcome::kMore, fill);
      return Keep(window, fill) ? Large(cancel, fill) : FillOutcome::kHalt;
    }
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    size_t got = 0;
    Fault fault;
    switch (content_.Read(window.slab + window.end,
                          std::min(window.size - window.end, kPollBytes), &got,
                          &fault)) {
      case ReadState::kBytes:
        window.end += got;
        break;
      case ReadState::kEnd:
        return AtEndOf(window, fill);
      case ReadState::kDry:
        return Leave(
            window, window.begin > 0 ? FillOutcome::kMore : FillOutcome::kInput,
            fill);
      case ReadState::kFault:
        return Halt(fault, window.end - window.begin, fill);
    }
  }
}

/// Frames by headers alone, up to `limit` bytes. False where that is impossible
/// or stops at once: then nothing happened.
bool RecordStream::Walk(size_t limit, SlabFill* fill) {
  // What was read of the head is read again: it is little.
  if (carry_.size() > 0 || !content_.StepBack(0)) return false;
  const uint64_t position = content_.Position();
  const uint64_t remaining = content_.Remaining();
  if (remaining == kUnknown) return false;
  fill->unread =
      WalkHeaders(content_, position, std::min<uint64_t>(limit, remaining),
                  options_, &fill->frames);
  const uint64_t stepped = content_.StepOver(fill->unread);
  if (stepped == 0 || stepped < fill->unread) {
    // Nothing to walk over, or it went away: reading will tell.
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

/// Frames what is whole. Leaves `need_` at the size of the record that is not,
/// or 0 when even its header is short.
RecordStream::Scanned RecordStream::Scan(Window* window, SlabFill* fill) {
  const bool verify = options_.verify != Verify::kNone;
  need_ = 0;
  while (window->end - window->begin >= kHeaderSize) {
    const uint8_t* const header = window->slab + window->begin;
    if (verify && !LengthIsRight(header)) return Scanned::kBadLength;
    const uint64_t length = LoadLE64(header);
    if (length > options_.max_record_bytes) return Scanned::kTooLarge;
    need_ = kFramingSize + length;
    if (window->end - window->begin < need_) return Scanned::kShort;
    if (!fill->frames.Push({static_cast<uint32_t>(window->begin + kHeaderSize),
                            static_cast<uint32_t>(length)})) {
      return Scanned::kNoMemory;
    }
    window->begin += static_cast<size_t>(need_);
    offset_ += need_;
    ++record_;
    need_ = 0;
  }
  return Scanned::kShort;
}

/// Keeps the bytes that are not framed for the next fill. False when memory ran
/// out; then the stream is halted.
bool RecordStream::Keep(const Window& window, SlabFill* fill) {
  const size_t rest = window.end - window.begin;
  if (rest == 0 || content_.StepBack(rest)) return true;
  if (carry_.Assign(window.slab + window.begin, rest)) return true;
  Halt(MemoryFault(), rest, fill);
  return false;
}

FillOutcome RecordStream::Leave(const Window& window, FillOutcome outcome,
                                SlabFill* fill) {
  return Keep(window, fill) ? outcome : FillOutcome::kHalt;
}

/// The next record does not fit the slab. Where the size of the file tells that
/// it is there, asks for a slab of its size at once; else gathers it first, so
/// that a false length costs no more memory than there are bytes.
FillOutcome RecordStream::Large(const CancelToken& cancel, SlabFill* fill) {
  const uint64_t remaining = content_.Remaining();
  if (remaining != kUnknown && carry_.size() + remaining < need_) {
    return AtEnd(carry_.size() + remaining, carry_.size(), fill);
  }
  while (remaining == kUnknown && carry_.size() < need_) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    if (carry_.size() == carry_.capacity() &&
        !carry_.Reserve(static_cast<size_t>(std::min(
            need_, std::max<uint64_t>(2 * carry_.capacity(), kGatherSize))))) {
      return Halt(MemoryFault(), carry_.size(), fill);
    }
    const uint64_t room =
        std::min<uint64_t>(carry_.capacity(), need_) - carry_.size();
    size_t got = 0;
    Fault fault;
    switch (
        content_.Read(carry_.data() + carry_.size(),
                      static_cast<size_t>(std::min<uint64_t>(room, kPollBytes)),
                      &got, &fault)) {
      case ReadState::kBytes:
        carry_.Resize(carry_.size() + got);
        break;
      case ReadState::kEnd:
        return AtEnd(carry_.size(), carry_.size(), fill);
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        return Halt(fault, carry_.size(), fill);
    }
  }
  fill->grow_to = need_;
  return FillOutcome::kGrow;
}

/// Passes over the rest of a record too large; kMore when it is behind us.
FillOutcome RecordStream::Discard(const Window& scratch,
                                  const CancelToken& cancel, SlabFill* fill) {
  const auto kept =
      static_cast<size_t>(std::min<uint64_t>(carry_.size(), discard_));
  if (kept > 0) {
    SumDiscarded(carry_.data(), kept);
    std::memmove(carry_.data(), carry_.data() + kept, carry_.size() - kept);
    carry_.Resize(carry_.size() - kept);
    discard_ -= kept;
  }
  while (discard_ > 0) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    const uint64_t stepped = content_.StepOver(discard_);
    discard_ -= stepped;
    if (stepped > 0) continue;
    size_t got = 0;
    Fault fault;
    switch (content_.Read(scratch.slab,
                          static_cast<size_t>(std::min<uint64_t>(
                              {discard_, scratch.size, kPollBytes})),
                          &got, &fault)) {
      case ReadState::kBytes:
        SumDiscarded(scratch.slab, got);
        discard_ -= got;
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
  if (JudgesInOrder(content_.compression()) &&
      options_.verify == Verify::kAll &&
      crc32c::Mask(discarded_crc_) != discarded_stored_ &&
      offset_ > content_.Proven()) {
    doubt_ = offset_;
  }
  return FillOutcome::kMore;
}

/// Takes the next `size` bytes of a record too large into its checksums, the
/// one of its data and the one stored behind them.
void RecordStream::SumDiscarded(const uint8_t* bytes, size_t size) {
  if (!JudgesInOrder(content_.compression())) return;
  const uint64_t data_end = need_ - (kFramingSize - kHeaderSize);
  for (size_t used = 0; used < size;) {
    const uint64_t at = need_ - discard_ + used;
    const uint64_t part_end =
        at < kHeaderSize ? kHeaderSize : (at < data_end ? data_end : need_);
    const auto part =
        static_cast<size_t>(std::min<uint64_t>(size - used, part_end - at));
    if (at >= data_end) {
      for (size_t i = 0; i < part; ++i) {
        // The last four bytes stay, the first of them lowest.
        discarded_stored_ = (discarded_stored_ >> 8) |
                            (static_cast<uint32_t>(bytes[used + i]) << 24);
      }
    } else if (at >= kHeaderSize) {
      discarded_crc_ = crc32c::Extend(discarded_crc_, bytes + used, part);
    }
    used += part;
  }
}

FillOutcome RecordStream::BadLength(Window* window, SlabFill* fill) {
  const char* signature = nullptr;
  if (record_ == 0) {
    // The same judgement from every source wants the same number of bytes.
    const size_t want = std::min(window->size, kSignatureBytes);
    ReadState state = ReadState::kBytes;
    while (window->end < want && state == ReadState::kBytes) {
      size_t got = 0;
      Fault ignored;
      state = content_.Read(window->slab + window->end, want - window->end,
                            &got, &ignored);
      window->end += got;
    }
    if (state == ReadState::kDry) {
      return Leave(*window, FillOutcome::kInput, fill);
    }
    signature = SignatureOf(window->slab, std::min(window->end, want));
  }
  const uint8_t* const header = window->slab + window->begin;
  Fault fault = MakeFault(
      signature ? FaultCode::kNotTFRecord : FaultCode::kCorruptLength, "length",
      crc32c::Mask(crc32c::Value8(header)), LoadLE32(header + kLengthSize));
  if (signature) fault.detail = signature;
  return Halt(fault, window->end - window->begin, fill);
}

FillOutcome RecordStream::TooLarge(const Window& window, SlabFill* fill) {
  const uint64_t length = LoadLE64(window.slab + window.begin);
  // Lengths near 2^64 saturate: passing over them ends at the end of the file.
  need_ = length > kUnknown - kFramingSize ? kUnknown : length + kFramingSize;
  if (!Keep(window, fill)) return FillOutcome::kHalt;
  return Halt(MakeFault(FaultCode::kRecordTooLarge, "length",
                        options_.max_record_bytes, length),
              0, fill);
}

void RecordStream::PassOver() {
  if (final_ != FillOutcome::kHalt ||
      final_fault_.code != FaultCode::kRecordTooLarge) {
    return;
  }
  final_ = FillOutcome::kMore;
  final_fault_ = Fault();
  discard_ = need_;
  discarded_crc_ = 0;
}

/// Handles a stream that ends with the bytes in the window.
FillOutcome RecordStream::AtEndOf(const Window& window, SlabFill* fill) {
  const size_t have = window.end - window.begin;
  // Two bytes of text could begin a header, but hardly ever do.
  if (record_ == 0 && have >= 2 && have < kHeaderSize &&
      LooksLikeText(window.slab + window.begin, have)) {
    Fault fault = MakeFault(FaultCode::kNotTFRecord, "length", 0, 0);
    fault.detail = SignatureOf(window.slab + window.begin, have);
    return Halt(fault, have, fill);
  }
  return AtEnd(have, have, fill);
}

/// Handles the end of the stream. `have` bytes of the next record were there,
/// of which `unframed` are no longer in the window.
FillOutcome RecordStream::AtEnd(uint64_t have, uint64_t unframed,
                                SlabFill* fill) {
  if (have == 0) return final_ = FillOutcome::kEnd;
  const bool in_header = have < kHeaderSize;
  Fault fault = MakeFault(FaultCode::kTruncated, in_header ? "header" : "data",
                          in_header ? kHeaderSize : need_, have);
  if (content_.compressed()) fault.compressed_offset = content_.consumed();
  return Halt(fault, unframed, fill);
}

/// Ends the stream with `fault`. `unframed` bytes after it are no longer in the
/// window. If reading may go on with other files, `CountLost` counts the bytes
/// after those next.
FillOutcome RecordStream::Halt(Fault fault, uint64_t unframed, SlabFill* fill) {
  fault.record = record_;
  fault.offset = offset_;
  counting_ =
      options_.counts_lost && fault.code != FaultCode::kRecordTooLarge &&
      fault.code != FaultCode::kSystem && fault.code != FaultCode::kOutOfMemory;
  if (counting_) {
    fault.lost = unframed;
    final_fault_ = fault;
    return FillOutcome::kMore;
  }
  fill->halt = final_fault_ = fault;
  return final_ = FillOutcome::kHalt;
}

FillOutcome RecordStream::CountLost(const Window& scratch,
                                    const CancelToken& cancel, SlabFill* fill) {
  for (;;) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    switch (content_.PassRest(scratch.slab, std::min(scratch.size, kPollBytes),
                              &final_fault_.lost)) {
      case ReadState::kBytes:
        continue;
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        final_fault_.lost = kUnknown;
        break;
      case ReadState::kEnd:
        break;
    }
    counting_ = false;
    fill->halt = final_fault_;
    return final_ = FillOutcome::kHalt;
  }
}

/// kMore without `counting_` means that the doubt is resolved.
FillOutcome RecordStream::ResolveDoubt(const CancelToken& cancel,
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

/// Checks the data of the frames from number `from` on. At the first wrong one
/// that may have been inflated wrongly, removes the frames after it and returns
/// false: nothing is known about them.
bool RecordStream::Judge(size_t from, Window* window, SlabFill* fill) {
  if (options_.verify != Verify::kAll) return true;
  for (size_t i = from; i < fill->frames.size(); ++i) {
    const Frame frame = fill->frames[i];
    if (!CheckFrame(window->slab, i, fill)) {
      if (fill->halt) {
        window->begin = frame.offset - kHeaderSize;
        offset_ = fill->base + window->begin;
        record_ = fill->first_record + i;
        return false;
      }
      const size_t end =
          frame.offset + frame.length + (kFramingSize - kHeaderSize);
      if (fill->base + end <= content_.Proven()) continue;
      fill->frames.Truncate(i + 1);
      window->begin = end;
      doubt_ = offset_ = fill->base + end;
      record_ = fill->first_record + i + 1;
      need_ = 0;
      return false;
    }
  }
  return true;
}

void RecordStream::Complete(uint8_t* slab, const CancelToken& cancel,
                            SlabFill* fill) const {
  if (fill->unread > 0) {
    Fault fault = ReadWalked(content_, fill->unread_at, fill->unread,
                             fill->frames, cancel, slab);
    if (fault) {
      const auto whole = static_cast<size_t>(fault.record);
      fault.record = fill->first_record + whole;
      fault.offset = fill->base + fill->frames[whole].offset - kHeaderSize;
      fill->frames.Truncate(whole);
      fill->halt = fault;
      fill->outcome = FillOutcome::kHalt;
    }
  }
  if (options_.verify == Verify::kAll && !JudgesInOrder(fill->compression)) {
    CheckData(slab, cancel, fill);
  }
  // Work that was cut short proves nothing.
  if (cancel.cancelled()) *fill = SlabFill();
}

/// Adds a fault if the data of frame number `index` is wrong. If there is no
/// memory for it, halts before that frame.
bool RecordStream::CheckFrame(const uint8_t* slab, size_t index,
                              SlabFill* fill) const {
  const Frame& frame = fill->frames[index];
  const uint8_t* const data = slab + frame.offset;
  const uint32_t crc = crc32c::Mask(crc32c::Extend(0, data, frame.length));
  const uint32_t stored = LoadLE32(data + frame.length);
  if (crc == stored) return true;
  Fault fault = MakeFault(FaultCode::kCorruptData, "data", crc, stored);
  fault.record = fill->first_record + index;
  fault.offset = fill->base + frame.offset - kHeaderSize;
  if (!fill->faults.Push(fault)) {
    // A fault that cannot be stored must not go unnoticed.
    fill->frames.Truncate(index);
    fill->halt = MemoryFault();
    fill->halt.record = fault.record;
    fill->halt.offset = fault.offset;
    fill->outcome = FillOutcome::kHalt;
  }
  return false;
}

void RecordStream::CheckData(const uint8_t* slab, const CancelToken& cancel,
                             SlabFill* fill) const {
  size_t unpolled = 0;
  for (size_t i = 0; i < fill->frames.size(); ++i) {
    unpolled += fill->frames[i].length + kFramingSize;
    CheckFrame(slab, i, fill);
    if (unpolled >= kPollBytes) {
      unpolled = 0;
      if (cancel.cancelled()) return;
    }
  }
}

}  // namespace tfr
