#include "core/content/content_stream.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/cancel.h"
#include "core/base/endian.h"
#include "core/compression/gzip_member.h"
#include "core/compression/zlib_format.h"
#include "core/content/content_kind.h"
#include "core/content/member_search.h"
#include "core/content/signature.h"
#include "core/crc32c/record_format.h"
#include "core/deflate/registry.h"

namespace tfr {
namespace {

/// Raw bytes of a member to keep for a search that begins at its start.
constexpr size_t kMostKept = size_t{4} << 20;
/// Length of the size of the content, at the end of a member.
constexpr size_t kContentSizeBytes = 4;
/// The highest compression ratio of deflate.
constexpr uint64_t kMostOfOneByte = 1032;

}  // namespace

ContentStream::ContentStream(std::unique_ptr<ByteSource> source,
                             Compression option, const AheadLimits& limits,
                             ContentRule rule)
    : source_(std::move(source)),
      option_(option),
      limits_(limits),
      rule_(rule) {}

ContentStream::~ContentStream() = default;

void ContentStream::StartAt(std::shared_ptr<const Checkpoint> from,
                            uint64_t offset) {
  skip_ = offset - from->point.produced;
  from_ = std::move(from);
}

ReadState ContentStream::Read(uint8_t* dst, size_t size, size_t* got,
                              Fault* fault) {
  if (held_used_ < held_.size()) {
    *got = TakeHeld(dst, size);
    return ReadState::kBytes;
  }
  const ReadState state = ReadNext(dst, size, got, fault);
  returned_ = inflated_;
  return state;
}

ReadState ContentStream::ReadNext(uint8_t* dst, size_t size, size_t* got,
                                  Fault* fault) {
  ReadState state = ReadState::kFault;
  if (!fault_) {
    try {
      state = recognised_ ? ReadState::kBytes
              : from_     ? Resume(&fault_)
                          : Recognise(&fault_);
      if (state == ReadState::kBytes) state = ReadOn(dst, size, got, &fault_);
    } catch (const std::bad_alloc&) {
      fault_ = MemoryFault();
      state = ReadState::kFault;
    }
  }
  if (state == ReadState::kFault) *fault = fault_;
  return state;
}

ReadState ContentStream::ReadOn(uint8_t* dst, size_t size, size_t* got,
                                Fault* fault) {
  if (!inflater_) return ReadPlain(dst, size, got, fault);
  if (skip_ == 0) return ReadInflated(dst, size, got, fault);
  const auto most = static_cast<size_t>(std::min<uint64_t>(size, skip_));
  const ReadState state = ReadInflated(dst, most, got, fault);
  if (state == ReadState::kBytes) skip_ -= std::exchange(*got, 0);
  return state;
}

/// Returns kBytes when `raw_` holds `size` bytes, or all the source has.
ReadState ContentStream::ReadHead(size_t size, Fault* fault) {
  const size_t most = std::max(size, kSignatureBytes);
  if (!raw_.Reserve(most)) {
    *fault = MemoryFault();
    return ReadState::kFault;
  }
  while (raw_.size() < size && !source_ended_) {
    size_t got = 0;
    const ReadState state = source_->Read(raw_.data() + raw_.size(),
                                          most - raw_.size(), &got, fault);
    if (state == ReadState::kDry || state == ReadState::kFault) return state;
    if (state == ReadState::kEnd) source_ended_ = true;
    raw_.Resize(raw_.size() + got);
  }
  return ReadState::kBytes;
}

ReadState ContentStream::Recognise(Fault* fault) {
  if (rule_ == ContentRule::kBytes) return RecogniseBytes(fault);
  ReadState state = ReadHead(kHeaderSize, fault);
  if (state != ReadState::kBytes) return state;
  const uint8_t* const head = raw_.data();
  const size_t size = raw_.size();
  const bool plain = size >= kHeaderSize && LengthIsRight(head);
  const bool gzip =
      !plain && (LooksLikeGzip(head, size) || IsNearlyGzipMember(head, size));
  // The length of a record with a wrong checksum can look like a header of
  // zlib: 376 is 78 01.
  const bool zlib =
      !plain && !gzip && LooksLikeZlib(head, size) &&
      !(size >= kHeaderSize && LooksLikeText(head, kHeaderSize)) &&
      !(MayBeLength(head, size) &&
        CannotInflateAs(Compression::kZlib, head, size));
  switch (option_) {
    case Compression::kAuto:
      return Choose(gzip   ? Compression::kGzip
                    : zlib ? Compression::kZlib
                           : Compression::kNone,
                    fault);
    case Compression::kNone:
      if (gzip) return Mismatch("gzip data", fault);
      if (zlib) return Mismatch("zlib data", fault);
      return Choose(Compression::kNone, fault);
    case Compression::kGzip:
      // A prefix of the magic is a truncated gzip file.
      if (gzip || (size < 3 && std::memcmp(head, "\x1f\x8b", size) == 0)) {
        return Choose(Compression::kGzip, fault);
      }
      break;
    case Compression::kZlib:
      if (LooksLikeZlib(head, size) && !plain) {
        return Choose(Compression::kZlib, fault);
      }
      if (size == 0 || (size == 1 && (head[0] & 0x0f) == 8)) {
        return Choose(Compression::kZlib, fault);
      }
      break;
  }
  if (plain) return Mismatch("an uncompressed TFRecord file", fault);
  state = ReadHead(kSignatureBytes, fault);
  if (state != ReadState::kBytes) return state;
  const char* const found = gzip   ? "gzip data"
                            : zlib ? "zlib data"
                                   : SignatureOf(raw_.data(), raw_.size());
  return Mismatch(found != nullptr ? found : "unknown data", fault);
}

ReadState ContentStream::RecogniseBytes(Fault* fault) {
  if (option_ == Compression::kNone) return Choose(option_, fault);
  ReadState state = ReadHead(kZlibHeaderSize, fault);
  if (state != ReadState::kBytes) return state;
  state = ReadHead(ProbeSize(raw_.data(), raw_.size()), fault);
  if (state != ReadState::kBytes) return state;
  const uint8_t* const head = raw_.data();
  const size_t size = raw_.size();
  const Compression found = KindOfBytes(head, size, size < kProbeBytes);
  if (option_ == Compression::kAuto) return Choose(found, fault);
  if (MayBegin(option_, head, size)) return Choose(option_, fault);
  return Mismatch(found == Compression::kNone   ? "uncompressed data"
                  : found == Compression::kGzip ? "gzip data"
                                                : "zlib data",
                  fault);
}

ReadState ContentStream::Choose(Compression kind, Fault* fault) {
  recognised_ = true;
  // An empty file is valid with every compression.
  if (kind == Compression::kNone || raw_.size() == 0) return ReadState::kBytes;
  auto inflater = NewStreamInflater();
  if (!inflater || !raw_.Reserve(kPollBytes)) {
    *fault = MemoryFault();
    return ReadState::kFault;
  }
  compression_ = kind;
  notes_members_ = kind == Compression::kGzip &&
                   IsNearlyGzipMember(raw_.data(), raw_.size());
  ours_ = seeks_ && notes_members_;
  LookAhead();
  inflater_ = std::make_unique<ContainerInflater>(
      kind, std::move(inflater),
      ahead_ != nullptr || checkpoints_ != nullptr || ours_);
  return ReadState::kBytes;
}

/// Inflates members ahead from now on, if the source can be read at any
/// position.
void ContentStream::LookAhead() {
  if (compression_ == Compression::kGzip && limits_.most_content > 0 &&
      source_->Position() != kUnknown && source_->Remaining() != kUnknown) {
    ahead_ = std::make_unique<MembersAhead>(source_.get(), limits_);
  }
}

ReadState ContentStream::Resume(Fault* fault) {
  // The file may have become shorter: then no byte is left here. A source that
  // runs dry comes here again.
  const ReadState state = ReadHead(1, fault);
  if (state != ReadState::kBytes) return state;
  const auto from = std::move(from_);
  if (Choose(from->compression, fault) != ReadState::kBytes) {
    return ReadState::kFault;
  }
  if (!inflater_) return ReadState::kBytes;
  switch (Restore(*from, inflater_.get())) {
    case RestoreResult::kRestored:
      return ReadState::kBytes;
    case RestoreResult::kInvalid:
      fault->code = FaultCode::kCompression;
      fault->part = "checkpoint of an index";
      fault->compressed_offset = from->point.consumed;
      break;
    case RestoreResult::kNoMemory:
      *fault = MemoryFault();
      break;
  }
  return ReadState::kFault;
}

ReadState ContentStream::Mismatch(const char* found, Fault* fault) {
  fault->code = FaultCode::kCompression;
  fault->part = NameOf(option_);
  fault->detail = found;
  fault->compressed_offset = 0;
  return ReadState::kFault;
}

ReadState ContentStream::ReadPlain(uint8_t* dst, size_t size, size_t* got,
                                   Fault* fault) {
  const size_t left = raw_.size() - raw_used_;
  if (left > 0) {
    const size_t n = std::min(left, size);
    std::memcpy(dst, raw_.data() + raw_used_, n);
    raw_used_ += n;
    plain_used_ += n;
    *got = n;
    return ReadState::kBytes;
  }
  const ReadState state = source_->Read(dst, size, got, fault);
  if (state == ReadState::kBytes) plain_used_ += *got;
  return state;
}

ReadState ContentStream::ReadInflated(uint8_t* dst, size_t size, size_t* got,
                                      Fault* fault) {
  for (int blocks = 0;;) {
    if (checkpoints_ != nullptr && member_.content_size == 0) NoteCheckpoint();
    if (ours_ && inflater_->BetweenMembers()) {
      keep_ = raw_used_;
      keeps_ = at_start_ = true;
    }
    if (ahead_ && ReadMember(dst, size, got)) return ReadState::kBytes;
    const ContainerInflater::Step step = inflater_->Inflate(
        raw_.data() + raw_used_, raw_.size() - raw_used_, dst, size, fault);
    raw_used_ += step.consumed;
    if (step.produced > 0) {
      if (at_start_) NoteMember(inflater_->produced() - step.produced);
      *got = step.produced;
      return ReadState::kBytes;
    }
    if (*fault) return ReadState::kFault;
    if (raw_used_ < raw_.size()) continue;
    if (source_ended_) {
      *fault = inflater_->Finish();
      return *fault ? ReadState::kFault : ReadState::kEnd;
    }
    if (!MakeRoom()) {
      *fault = MemoryFault();
      return ReadState::kFault;
    }
    const ReadState state = ReadRaw(fault);
    if (state != ReadState::kBytes) return state;
    // A whole file may inflate to nothing: return, so that the caller can
    // cancel.
    if (blocks++ > 0) {
      *got = 0;
      return ReadState::kBytes;
    }
  }
}

/// Reads more raw bytes, for which there is room. The end of the source is no
/// bytes, and `source_ended_`.
ReadState ContentStream::ReadRaw(Fault* fault) {
  size_t got = 0;
  const ReadState state =
      source_->Read(raw_.data() + raw_.size(), kPollBytes, &got, fault);
  raw_.Resize(raw_.size() + got);
  if (state != ReadState::kEnd) return state;
  source_ended_ = true;
  return ReadState::kBytes;
}

/// Makes room for `kPollBytes` of input after the raw bytes, which are all
/// used. Drops those that no search will need, or that are too many.
bool ContentStream::MakeRoom() {
  keeps_ = keeps_ && raw_.size() - keep_ <= kMostKept;
  const size_t from = keeps_ ? keep_ : raw_used_;
  const size_t kept = raw_.size() - from;
  if (from > 0 && kept > 0) {
    std::memmove(raw_.data(), raw_.data() + from, kept);
  }
  raw_.Resize(kept);
  raw_used_ -= from;
  keep_ = 0;
  const size_t needed = kept + kPollBytes;
  return raw_.Reserve(needed <= raw_.capacity()
                          ? needed
                          : std::max(needed, 2 * raw_.capacity()));
}

/// The first byte of a member, at `offset` of the content, was inflated.
void ContentStream::NoteMember(uint64_t offset) {
  at_start_ = false;
  GzipMemberInfo info;
  const bool ours = keeps_ && ReadGzipMemberInfo(raw_.data() + keep_,
                                                 raw_.size() - keep_, &info);
  inflated_ = {offset, ours ? info.records : kUnknown,
               inflater_->consumed() - (raw_used_ - keep_)};
}

void ContentStream::NoteCheckpoint() {
  const bool between_members = inflater_->BetweenMembers();
  if ((notes_members_ && !between_members) ||
      !checkpoints_->Wants(inflater_->produced(), between_members)) {
    return;
  }
  auto checkpoint = checkpoint_maker_.Make(compression_, inflater_.get());
  if (checkpoint) checkpoints_->Add(std::move(checkpoint));
}

/// Reads from a member that was inflated ahead. Returns false, with no effect,
/// if there is none.
bool ContentStream::ReadMember(uint8_t* dst, size_t size, size_t* got) {
  if (member_.content_size == 0) {
    const size_t left = raw_.size() - raw_used_;
    if (!inflater_->BetweenMembers() ||
        !ahead_->Next(source_->Position() - left, &member_)) {
      return false;
    }
    const uint64_t unread = member_.size > left ? member_.size - left : 0;
    const uint64_t stepped = source_->StepOver(unread);
    if (stepped < unread) {
      // The file became shorter: sequential reading will report it.
      source_->StepBack(stepped);
      member_ = MembersAhead::Member();
      ahead_.reset();
      return false;
    }
    raw_used_ += std::min(left, member_.size);
    member_used_ = 0;
    at_start_ = false;
    inflated_ = {inflater_->produced(), member_.records, inflater_->consumed()};
  }
  const size_t n = std::min(size, member_.content_size - member_used_);
  std::memcpy(dst, member_.content + member_used_, n);
  member_used_ += n;
  *got = n;
  if (member_used_ == member_.content_size) {
    inflater_->Skip(member_.size, member_.content_size);
    member_ = MembersAhead::Member();
    ahead_->Release();
  }
  return true;
}

size_t ContentStream::TakeHeld(uint8_t* dst, size_t size) {
  const bool before = held_start_ != kNoStart && held_used_ < held_start_;
  if (held_start_ != kNoStart && !before) returned_ = inflated_;
  const size_t end = before ? held_start_ : held_.size();
  const size_t n = std::min(size, end - held_used_);
  std::memcpy(dst, held_.data() + held_used_, n);
  held_used_ += n;
  if (held_used_ == held_.size()) {
    held_.Free();
    held_used_ = 0;
    held_start_ = kNoStart;
  }
  return n;
}

uint64_t ContentStream::Proven() const {
  if (!inflater_) return kUnknown;
  // A member inflated ahead was verified in full.
  return inflater_->proven() + member_.content_size;
}

ContentStream::Proof ContentStream::Prove(uint64_t until,
                                          const CancelToken& cancel,
                                          Fault* fault) {
  while (Proven() < until) {
    if (cancel.cancelled()) return Proof::kCancelled;
    const size_t size = held_.size();
    if (size - held_used_ >= kMostHeld) {
      fault->code = FaultCode::kCompression;
      fault->part = "proof";
      return Proof::kWrong;
    }
    if (size == held_.capacity() &&
        !held_.Reserve(std::max(2 * size, kPollBytes))) {
      *fault = MemoryFault();
      return Proof::kWrong;
    }
    size_t got = 0;
    const uint64_t member = inflated_.offset;
    switch (ReadNext(held_.data() + size,
                     std::min(held_.capacity() - size, kPollBytes), &got,
                     fault)) {
      case ReadState::kBytes:
        if (inflated_.offset != member) {
          // Only the last of several members is known.
          if (held_start_ != kNoStart) returned_ = Member();
          held_start_ = size;
        }
        held_.Resize(size + got);
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
  if (searching_) return Search(skipped);
  if (held_start_ != kNoStart && held_used_ <= held_start_ && ours_ &&
      inflated_.records != kUnknown) {
    *skipped += held_start_ - held_used_;
    held_used_ = held_start_;
    next_ = {inflated_.position, inflated_.offset, returned_};
    return ReadState::kEnd;
  }
  *skipped += held_.size() - held_used_;
  held_.Free();
  held_used_ = 0;
  held_start_ = kNoStart;
  if (!fault_) {
    const uint64_t stepped = StepOver(kUnknown);
    *skipped += stepped;
    if (stepped > 0) return ReadState::kBytes;
    const Member before = inflated_;
    size_t got = 0;
    Fault fault;
    const ReadState state = ReadNext(scratch, size, &got, &fault);
    if (state == ReadState::kBytes && ours_ &&
        inflated_.offset != before.offset && inflated_.records != kUnknown) {
      if (!held_.Assign(scratch, got)) {
        fault_ = MemoryFault();
        return ReadState::kFault;
      }
      held_start_ = 0;
      next_ = {inflated_.position, inflated_.offset, before};
      return ReadState::kEnd;
    }
    *skipped += got;
    if (state != ReadState::kFault) return state;
  }
  if (fault_.code == FaultCode::kSystem ||
      fault_.code == FaultCode::kOutOfMemory) {
    return ReadState::kFault;
  }
  if (!ours_) return SkipRaw(scratch, size, skipped);
  BeginSearch();
  return Search(skipped);
}

/// Prepares to search the raw bytes from the start of the damaged member on, or
/// from the fault on if there were too many to keep.
void ContentStream::BeginSearch() {
  searching_ = true;
  ahead_.reset();
  raw_at_ = inflater_->consumed() - raw_used_;
  search_ = keeps_ ? keep_ + 1 : raw_used_;
  lost_start_ = keeps_ ? raw_at_ + keep_ : kUnknown;
  lost_end_ = lost_records_ = kUnknown;
}

/// Reads the sizes in the header of the lost member, which may be damaged, once
/// the header is there.
void ContentStream::ReadLostSizes() {
  if (lost_end_ != kUnknown || lost_start_ == kUnknown ||
      lost_start_ < raw_at_) {
    return;
  }
  const auto at = static_cast<size_t>(lost_start_ - raw_at_);
  if (raw_.size() - at < kGzipMemberHeaderSize) return;
  GzipMemberInfo info;
  LoadGzipMemberSizes(raw_.data() + at, &info);
  if (info.member_size >= kUnknown - lost_start_) return;
  lost_end_ = lost_start_ + info.member_size;
  lost_records_ = info.records;
}

/// One step of a search.
ReadState ContentStream::Search(uint64_t* skipped) {
  ReadLostSizes();
  const bool ahead = lost_end_ != kUnknown && lost_end_ >= raw_at_ &&
                     lost_end_ - raw_at_ <= raw_.size();
  const size_t expected =
      ahead ? static_cast<size_t>(lost_end_ - raw_at_) : kNoStart;
  if (FindMember(raw_.data(), raw_.size(), source_ended_, expected, &search_)) {
    NoteFound(skipped);
    return ReadState::kEnd;
  }
  if (source_ended_) {
    const uint64_t used = inflater_->consumed();
    const uint64_t end = raw_at_ + raw_.size();
    *skipped += end - std::min(LostFrom(), used);
    skipped_raw_ = end - used;
    searching_ = ours_ = false;
    return ReadState::kEnd;
  }
  // The size at the end of the lost member may lie before the next one.
  const size_t from = search_ - std::min(search_, kContentSizeBytes);
  const size_t kept = raw_.size() - from;
  if (from > 0) std::memmove(raw_.data(), raw_.data() + from, kept);
  raw_.Resize(kept);
  raw_at_ += from;
  search_ -= from;
  Fault fault = MemoryFault();
  ReadState state = ReadState::kFault;
  if (raw_.Reserve(kept + kPollBytes)) state = ReadRaw(&fault);
  if (state == ReadState::kFault) fault_ = fault;
  return state;
}

/// Offset in the source from which on bytes are lost.
uint64_t ContentStream::LostFrom() const {
  return fault_.trailer_end != kUnknown ? fault_.trailer_end
                                        : fault_.compressed_offset;
}

/// The search found the next member at `search_`.
void ContentStream::NoteFound(uint64_t* skipped) {
  const uint64_t position = raw_at_ + search_;
  const uint64_t from = std::min(LostFrom(), inflater_->consumed());
  // Damaged data may have seemed to reach into the next member.
  *skipped += position - (position < from ? lost_start_ : from);
  const uint64_t start = inflater_->proven();
  next_ = {position, start, {start, kUnknown, lost_start_}};
  if (position != lost_end_) return;
  next_->before.records = lost_records_;
  // At the end of the lost member is the size of its content, unless that is
  // the fault.
  if (fault_.trailer_end == fault_.compressed_offset + kContentSizeBytes) {
    next_->offset = inflater_->produced();
  } else if (search_ >= kContentSizeBytes) {
    const uint64_t size = LoadLE32(raw_.data() + search_ - kContentSizeBytes);
    if (size <= kMostOfOneByte * (lost_end_ - lost_start_)) {
      next_->offset += size;
    }
  }
}

uint64_t ContentStream::Resume(uint64_t least) {
  const NextMember next = next_.value_or(NextMember());
  next_.reset();
  if (!searching_) return next.offset;
  const uint64_t offset = std::max(least, next.offset);
  searching_ = false;
  raw_used_ = keep_ = search_;
  keeps_ = at_start_ = true;
  fault_ = Fault();
  try {
    ContainerInflater::Point point;
    point.consumed = point.member_start = next.position;
    point.produced = point.proven = offset;
    point.between_members = true;
    inflater_ = std::make_unique<ContainerInflater>(Compression::kGzip,
                                                    NewStreamInflater(), true);
    if (!inflater_->Restore(point, nullptr, 0)) fault_ = MemoryFault();
    LookAhead();
  } catch (const std::bad_alloc&) {
    fault_ = MemoryFault();
  }
  return offset;
}

ReadState ContentStream::SkipRaw(uint8_t* scratch, size_t size,
                                 uint64_t* skipped) {
  if (!skipping_raw_) {
    skipping_raw_ = true;
    const uint64_t used = inflater_ ? inflater_->consumed() : 0;
    skipped_raw_ = raw_.size() - raw_used_;
    *skipped += skipped_raw_ + used - std::min(LostFrom(), used);
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

bool ContentStream::StepBack(uint64_t count) {
  if (inflater_ || !recognised_) return false;
  // The source must also step back over the unread bytes of the head.
  if (!source_->StepBack(count + raw_.size() - raw_used_)) return false;
  raw_.Resize(0);
  raw_used_ = 0;
  plain_used_ -= count;
  return true;
}

uint64_t ContentStream::StepOver(uint64_t count) {
  if (inflater_ || raw_used_ < raw_.size()) return 0;
  const uint64_t step = source_->StepOver(count);
  plain_used_ += step;
  return step;
}

uint64_t ContentStream::Remaining() {
  if (inflater_) return kUnknown;
  const uint64_t remaining = source_->Remaining();
  return remaining == kUnknown ? kUnknown : remaining + raw_.size() - raw_used_;
}

uint64_t ContentStream::consumed() const {
  if (!inflater_) return plain_used_ + skipped_raw_;
  // All that was read: a feeder goes on only when it is consumed.
  if (searching_) return raw_at_ + raw_.size();
  uint64_t consumed = inflater_->consumed() + skipped_raw_;
  if (member_.content_size > 0) {
    consumed += uint64_t{member_.size} * member_used_ / member_.content_size;
  }
  return consumed;
}

void ContentStream::Close() {
  ahead_.reset();
  member_ = MembersAhead::Member();
  source_->Close();
}

}  // namespace tfr
