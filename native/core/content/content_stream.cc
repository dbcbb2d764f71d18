#include "core/content/content_stream.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/compression/gzip_member.h"
#include "core/crc32c/record_format.h"
#include "core/deflate/registry.h"

namespace tfr {

ContentStream::ContentStream(std::unique_ptr<ByteSource> source,
                             Compression option, const AheadLimits& limits,
                             ContentRule rule)
    : source_(std::move(source)),
      option_(option),
      limits_(limits),
      rule_(rule),
      raw_(source_.get()),
      plain_(source_.get(), &raw_),
      ahead_(source_.get(), &raw_) {}

ContentStream::~ContentStream() = default;

void ContentStream::StartAt(std::shared_ptr<const Checkpoint> from,
                            uint64_t offset) {
  skip_ = offset - from->point.produced;
  from_ = std::move(from);
}

ReadState ContentStream::Read(uint8_t* dst, size_t size, size_t* got,
                              Fault* fault) {
  if (held_.left() > 0) {
    if (held_.in_member()) returned_ = inflated_;
    *got = held_.Take(dst, size);
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
  if (!inflater_) return plain_.Read(dst, size, got, fault);
  uint64_t most = skip_ == 0 ? size : std::min<uint64_t>(size, skip_);
  if (checks_ && !ahead_.segments()) {
    most = std::min(most, checks_->Left(inflater_->produced()));
  }
  const ReadState state =
      ReadInflated(dst, static_cast<size_t>(most), got, fault);
  CompareWithCheck();
  if (state == ReadState::kBytes && skip_ > 0) skip_ -= std::exchange(*got, 0);
  return state;
}

/// Compares inflating with the next known checkpoint. If one that it went on
/// from proves wrong by that, content ends in a fault here.
void ContentStream::CompareWithCheck() {
  if (!checks_ || ahead_.segments()) return;
  const uint64_t matched = checks_->matched();
  const uint64_t position = checks_->position();
  const bool right = checks_->Compare(*inflater_);
  if (checks_->matched() > matched) unconfirmed_ = false;
  if (right || !unconfirmed_) return;
  unconfirmed_ = false;
  fault_ = MakeFault(FaultCode::kCompression, "deflate data", 0, 0);
  // The inflater may have used bytes whose content it still holds.
  fault_.compressed_offset = told_ = std::min(position, inflater_->consumed());
}

ReadState ContentStream::Recognise(Fault* fault) {
  for (;;) {
    const Recognition found = RecogniseContent(rule_, option_, raw_.data(),
                                               raw_.size(), raw_.ended());
    const Compression damaged =
        found.needed == 0 && found.kind == Compression::kNone
            ? RecogniseDamaged()
            : Compression::kNone;
    if (damaged != Compression::kNone) return Choose(damaged, nullptr, fault);
    if (found.mismatch != nullptr) {
      fault->code = FaultCode::kCompression;
      fault->part = NameOf(option_);
      fault->detail = found.mismatch;
      fault->compressed_offset = 0;
      return ReadState::kFault;
    }
    if (found.needed == 0) return Choose(found.kind, nullptr, fault);
    const ReadState state = raw_.ReadHead(found.needed, fault);
    if (state != ReadState::kBytes) return state;
  }
}

/// The compression of content that seems to have none, if a reader that
/// salvages can tell: the caller named gzip, one byte of a gzip header is
/// wrong, or content goes on from a known checkpoint.
Compression ContentStream::RecogniseDamaged() {
  const uint8_t* const head = raw_.data();
  if (!trial_ || rule_ != ContentRule::kRecords || raw_.size() == 0 ||
      (raw_.size() >= kHeaderSize && LengthIsRight(head))) {
    return Compression::kNone;
  }
  for (const Compression kind : {Compression::kGzip, Compression::kZlib}) {
    if (option_ != Compression::kAuto && option_ != kind) continue;
    if (kind == Compression::kGzip &&
        (option_ == kind || LooksNearlyLikeGzip(head, raw_.size()))) {
      return kind;
    }
    if (known_ && CheckpointChecks(source_.get(), known_.get(), kind, &*trial_)
                      .AfterDamage(0, 0)) {
      return kind;
    }
  }
  return Compression::kNone;
}

ReadState ContentStream::Choose(Compression kind,
                                std::shared_ptr<const Checkpoint> from,
                                Fault* fault) {
  recognised_ = true;
  // An empty file is valid with every compression.
  if (kind == Compression::kNone || raw_.size() == 0) return ReadState::kBytes;
  auto inflater = NewStreamInflater();
  if (!inflater || !raw_.Reserve(kPollBytes)) {
    *fault = MemoryFault();
    return ReadState::kFault;
  }
  compression_ = kind;
  const bool resumes = from != nullptr;
  notes_members_ = kind == Compression::kGzip &&
                   IsNearlyGzipMember(raw_.data(), raw_.size());
  ours_ = seeks_ && notes_members_;
  const uint64_t begin = from ? from->point.produced : 0;
  InflateAhead(std::move(from));
  inflater_ = std::make_unique<ContainerInflater>(
      kind, std::move(inflater),
      ahead_.members() || checkpoints_ != nullptr || ours_ || trial_);
  if (trial_ && known_) {
    checks_.emplace(source_.get(), known_.get(), kind, &*trial_);
  }
  ExpectCheck(begin + 1);
  // Later ones are noted at the ends of segments.
  if (ahead_.segments() && checkpoints_ != nullptr && !resumes) {
    NoteCheckpoint();
  }
  return ReadState::kBytes;
}

/// Inflates ahead from now on, where reading begins at `from`, or at the
/// beginning of the file.
void ContentStream::InflateAhead(std::shared_ptr<const Checkpoint> from) {
  if (known_ && limits_.most_content > 0 && !notes_members_ &&
      IsSeekable(source_.get())) {
    ahead_.BeginSegments(known_, compression_, std::move(from), least_segment_);
  }
  InflateMembersAhead();
}

void ContentStream::InflateMembersAhead() {
  if (compression_ == Compression::kGzip && limits_.most_content > 0 &&
      IsSeekable(source_.get())) {
    ahead_.BeginMembers(limits_);
  }
}

void ContentStream::Salvage(HoldsRecord holds) {
  trial_.emplace(holds);
  raw_.KeepOverrun();
}

ReadState ContentStream::Resume(Fault* fault) {
  // The file may have become shorter: then no byte is left here. A source that
  // runs dry comes here again.
  const ReadState state = raw_.ReadHead(1, fault);
  if (state != ReadState::kBytes) return state;
  const auto from = std::move(from_);
  if (Choose(from->compression, from, fault) != ReadState::kBytes) {
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

ReadState ContentStream::ReadInflated(uint8_t* dst, size_t size, size_t* got,
                                      Fault* fault) {
  for (int blocks = 0;;) {
    if (checkpoints_ != nullptr && ahead_.member_content() == 0 &&
        !ahead_.segments()) {
      NoteCheckpoint();
    }
    if ((ours_ || trial_) && inflater_->BetweenMembers()) {
      raw_.Keep();
      at_start_ = true;
    }
    if (ahead_.segments()) {
      if (ReadSegment(dst, size, got, fault)) return ReadState::kBytes;
      if (*fault) return ReadState::kFault;
    }
    if (ahead_.members() &&
        ahead_.ReadMember(inflater_.get(), dst, size, got, &inflated_)) {
      at_start_ = false;
      return ReadState::kBytes;
    }
    const ContainerInflater::Step step =
        inflater_->Inflate(raw_.unused(), raw_.left(), dst, size, fault);
    raw_.Use(step.consumed);
    if (step.produced > 0) {
      if (at_start_) NoteMember(inflater_->produced() - step.produced);
      *got = step.produced;
      return ReadState::kBytes;
    }
    if (*fault) return ReadState::kFault;
    if (raw_.left() > 0) continue;
    if (raw_.ended()) {
      *fault = inflater_->Finish();
      return *fault ? ReadState::kFault : ReadState::kEnd;
    }
    const ReadState state = raw_.ReadMore(fault);
    if (state != ReadState::kBytes) return state;
    // A whole file may inflate to nothing: return, so that the caller can
    // cancel.
    if (blocks++ > 0) {
      *got = 0;
      return ReadState::kBytes;
    }
  }
}

/// The first byte of a member, at `offset` of the content, was inflated.
void ContentStream::NoteMember(uint64_t offset) {
  at_start_ = false;
  GzipMemberInfo info;
  const size_t at = raw_.kept();
  const bool ours = raw_.keeps() && ReadGzipMemberInfo(raw_.data() + at,
                                                       raw_.size() - at, &info);
  inflated_ = {offset, ours ? info.records : kUnknown,
               inflater_->consumed() - (raw_.used() - at)};
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

/// Makes the first known checkpoint at `from` of the content or after it the
/// next check.
void ContentStream::ExpectCheck(uint64_t from) {
  if (checks_) checks_->Expect(located_ ? from : kUnknown);
}

/// Reads from a segment that was inflated ahead. Returns false if there is
/// none: from here on, all is inflated in order. `*fault`: that cannot be done.
bool ContentStream::ReadSegment(uint8_t* dst, size_t size, size_t* got,
                                Fault* fault) {
  std::shared_ptr<const Checkpoint> end;
  if (!ahead_.ReadSegment(inflater_.get(), dst, size, got, &end)) {
    return LeaveSegments(fault);
  }
  at_start_ = false;
  if (!end) return true;
  if (checks_) checks_->Match(*end);
  if (checkpoints_ != nullptr &&
      checkpoints_->Wants(end->point.produced, end->point.between_members)) {
    checkpoints_->Add(std::move(end));
  }
  return true;
}

/// Returns false: goes on in order from the end of the last segment.
bool ContentStream::LeaveSegments(Fault* fault) {
  const std::shared_ptr<const Checkpoint> reached = ahead_.EndSegments();
  ExpectCheck(
      std::max(reached ? reached->point.produced : 0, inflater_->produced()) +
      1);
  // Its state was inflated before, so only memory can be missing.
  if (reached &&
      Restore(*reached, inflater_.get()) != RestoreResult::kRestored) {
    *fault = MemoryFault();
  }
  return false;
}

uint64_t ContentStream::Proven() const {
  if (!inflater_) return kUnknown;
  // A member inflated ahead was verified in full.
  return inflater_->proven() + ahead_.member_content();
}

bool ContentStream::StepBack(uint64_t count) {
  return !inflater_ && recognised_ && plain_.StepBack(count);
}

uint64_t ContentStream::StepOver(uint64_t count) {
  return inflater_ ? 0 : plain_.StepOver(count);
}

uint64_t ContentStream::Remaining() {
  return inflater_ ? kUnknown : plain_.Remaining();
}

uint64_t ContentStream::consumed() const {
  if (!inflater_) return plain_.used() + skipped_raw_;
  // All that was read: a feeder goes on only when it is consumed.
  if (search_) return search_->read();
  return inflater_->consumed() + skipped_raw_ + ahead_.consumed();
}

void ContentStream::Close() {
  ahead_.End();
  source_->Close();
}

}  // namespace tfr
