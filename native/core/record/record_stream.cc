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
                            const CancelToken& cancel, Fill* fill) {
  fill->first_record = record_;
  fill->base = offset_;
  fill->outcome = Run(Window{slab, size}, cancel, fill);
  fill->compressed_bytes = content_.consumed();
  fill->total_bytes = content_.total_bytes();
  fill->compression = content_.compression();
  typical_frames_ = std::max<size_t>(fill->frames.size(), 64);
  large_ = fill->frames.empty()
               ? need_ >= kLargeRecord
               : offset_ - fill->base >= kLargeRecord * fill->frames.size();
}

FillOutcome RecordStream::Run(const Window& empty, const CancelToken& cancel,
                              Fill* fill) {
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
  fill->frames.reserve(typical_frames_ + typical_frames_ / 8);

  for (;;) {
    switch (Scan(&window, fill)) {
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
        return AtEnd(window.end - window.begin, fill);
      case ReadState::kDry:
        return Leave(
            window, window.begin > 0 ? FillOutcome::kMore : FillOutcome::kInput,
            fill);
      case ReadState::kFault:
        return Halt(fault, fill);
    }
  }
}

/// Frames by headers alone, up to `limit` bytes. False where that is impossible
/// or stops at once: then nothing happened.
bool RecordStream::Walk(size_t limit, Fill* fill) {
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
    fill->frames.clear();
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
RecordStream::Scanned RecordStream::Scan(Window* window, Fill* fill) {
  const bool verify = options_.verify != Verify::kNone;
  need_ = 0;
  while (window->end - window->begin >= kHeaderSize) {
    const uint8_t* const header = window->slab + window->begin;
    if (verify && !LengthIsRight(header)) return Scanned::kBadLength;
    const uint64_t length = LoadLE64(header);
    if (length > options_.max_record_bytes) return Scanned::kTooLarge;
    need_ = kFramingSize + length;
    if (window->end - window->begin < need_) return Scanned::kShort;
    fill->frames.push_back({static_cast<uint32_t>(window->begin + kHeaderSize),
                            static_cast<uint32_t>(length)});
    window->begin += static_cast<size_t>(need_);
    offset_ += need_;
    ++record_;
    need_ = 0;
  }
  return Scanned::kShort;
}

/// Keeps the bytes that are not framed for the next fill. False when memory ran
/// out; then the stream is halted.
bool RecordStream::Keep(const Window& window, Fill* fill) {
  const size_t rest = window.end - window.begin;
  if (rest == 0 || content_.StepBack(rest)) return true;
  if (carry_.Assign(window.slab + window.begin, rest)) return true;
  Halt(MemoryFault(), fill);
  return false;
}

FillOutcome RecordStream::Leave(const Window& window, FillOutcome outcome,
                                Fill* fill) {
  return Keep(window, fill) ? outcome : FillOutcome::kHalt;
}

/// The next record does not fit the slab. Where the size of the file tells that
/// it is there, asks for a slab of its size at once; else gathers it first, so
/// that a false length costs no more memory than there are bytes.
FillOutcome RecordStream::Large(const CancelToken& cancel, Fill* fill) {
  const uint64_t remaining = content_.Remaining();
  if (remaining != kUnknown && carry_.size() + remaining < need_) {
    return AtEnd(carry_.size() + remaining, fill);
  }
  while (remaining == kUnknown && carry_.size() < need_) {
    if (cancel.cancelled()) return FillOutcome::kCancelled;
    if (carry_.size() == carry_.capacity() &&
        !carry_.Reserve(static_cast<size_t>(std::min(
            need_, std::max<uint64_t>(2 * carry_.capacity(), kGatherSize))))) {
      return Halt(MemoryFault(), fill);
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
        return AtEnd(carry_.size(), fill);
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        return Halt(fault, fill);
    }
  }
  fill->grow_to = need_;
  return FillOutcome::kGrow;
}

/// Passes over the rest of a record too large; kMore when it is behind us.
FillOutcome RecordStream::Discard(const Window& scratch,
                                  const CancelToken& cancel, Fill* fill) {
  const auto kept =
      static_cast<size_t>(std::min<uint64_t>(carry_.size(), discard_));
  if (kept > 0) {
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
        discard_ -= got;
        break;
      case ReadState::kEnd:
        return AtEnd(need_ - discard_, fill);
      case ReadState::kDry:
        return FillOutcome::kInput;
      case ReadState::kFault:
        return Halt(fault, fill);
    }
  }
  offset_ += need_;
  ++record_;
  need_ = 0;
  return FillOutcome::kMore;
}

FillOutcome RecordStream::BadLength(Window* window, Fill* fill) {
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
  return Halt(fault, fill);
}

FillOutcome RecordStream::TooLarge(const Window& window, Fill* fill) {
  const uint64_t length = LoadLE64(window.slab + window.begin);
  // Lengths near 2^64 saturate: passing over them ends at the end of the file.
  need_ = length > kUnknown - kFramingSize ? kUnknown : length + kFramingSize;
  if (!Keep(window, fill)) return FillOutcome::kHalt;
  return Halt(MakeFault(FaultCode::kRecordTooLarge, "length",
                        options_.max_record_bytes, length),
              fill);
}

void RecordStream::PassOver() {
  if (final_ != FillOutcome::kHalt ||
      final_fault_.code != FaultCode::kRecordTooLarge) {
    return;
  }
  final_ = FillOutcome::kMore;
  final_fault_ = Fault();
  discard_ = need_;
}

/// The stream ended; `have` bytes of the next record were there.
FillOutcome RecordStream::AtEnd(uint64_t have, Fill* fill) {
  if (have == 0) return final_ = FillOutcome::kEnd;
  const bool in_header = have < kHeaderSize;
  Fault fault = MakeFault(FaultCode::kTruncated, in_header ? "header" : "data",
                          in_header ? kHeaderSize : need_, have);
  if (content_.compressed()) fault.compressed_offset = content_.consumed();
  return Halt(fault, fill);
}

FillOutcome RecordStream::Halt(Fault fault, Fill* fill) {
  fault.record = record_;
  fault.offset = offset_;
  fill->halt = final_fault_ = fault;
  return final_ = FillOutcome::kHalt;
}

void RecordStream::Complete(uint8_t* slab, const CancelToken& cancel,
                            Fill* fill) const {
  if (fill->unread > 0) {
    Fault fault = ReadWalked(content_, fill->unread_at, fill->unread,
                             fill->frames, cancel, slab);
    if (fault) {
      const auto whole = static_cast<size_t>(fault.record);
      fault.record = fill->first_record + whole;
      fault.offset = fill->base + fill->frames[whole].offset - kHeaderSize;
      fill->frames.resize(whole);
      fill->halt = fault;
      fill->outcome = FillOutcome::kHalt;
    }
  }
  if (options_.verify == Verify::kAll) CheckData(slab, cancel, fill);
  // Work that was cut short proves nothing.
  if (cancel.cancelled()) *fill = Fill();
}

void RecordStream::CheckData(const uint8_t* slab, const CancelToken& cancel,
                             Fill* fill) const {
  uint64_t record = fill->first_record;
  size_t unpolled = 0;
  for (const Frame& frame : fill->frames) {
    const uint8_t* const data = slab + frame.offset;
    const uint32_t crc = crc32c::Mask(crc32c::Extend(0, data, frame.length));
    const uint32_t stored = LoadLE32(data + frame.length);
    if (crc != stored) {
      Fault fault = MakeFault(FaultCode::kCorruptData, "data", crc, stored);
      fault.record = record;
      fault.offset = fill->base + frame.offset - kHeaderSize;
      fill->faults.push_back(fault);
    }
    ++record;
    unpolled += frame.length + kFramingSize;
    if (unpolled >= kPollBytes) {
      unpolled = 0;
      if (cancel.cancelled()) return;
    }
  }
}

}  // namespace tfr
