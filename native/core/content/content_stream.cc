#include "core/content/content_stream.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/cancel.h"
#include "core/compression/gzip_member.h"
#include "core/deflate/registry.h"

namespace tfr {
namespace {

/// Length of the size of the content, at the end of a member.
constexpr size_t kContentSizeBytes = 4;

}  // namespace

ContentStream::ContentStream(std::unique_ptr<ByteSource> source,
                             Compression option, const AheadLimits& limits,
                             ContentRule rule)
    : source_(std::move(source)),
      option_(option),
      limits_(limits),
      rule_(rule),
      raw_(source_.get()) {}

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
  uint64_t most = skip_ == 0 ? size : std::min<uint64_t>(size, skip_);
  if (check_ && !segments_) {
    most = std::min(most, check_->point.produced - inflater_->produced());
  }
  const ReadState state =
      ReadInflated(dst, static_cast<size_t>(most), got, fault);
  if (check_) Compare();
  if (state == ReadState::kBytes && skip_ > 0) skip_ -= std::exchange(*got, 0);
  return state;
}

ReadState ContentStream::Recognise(Fault* fault) {
  for (;;) {
    const Recognition found = RecogniseContent(rule_, option_, raw_.data(),
                                               raw_.size(), raw_.ended());
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
      ahead_ != nullptr || checkpoints_ != nullptr || ours_ || trial_);
  check_ = NextCheck(begin + 1);
  // Later ones are noted at the ends of segments.
  if (segments_ && checkpoints_ != nullptr && !resumes) NoteCheckpoint();
  return ReadState::kBytes;
}

/// Inflates ahead from now on, where reading begins at `from`, or at the
/// beginning of the file.
void ContentStream::InflateAhead(std::shared_ptr<const Checkpoint> from) {
  if (known_ && limits_.most_content > 0 && !notes_members_ && MaySeek()) {
    segments_ = std::make_unique<SegmentsAhead>(
        source_.get(), known_, compression_, std::move(from), least_segment_);
  }
  LookAhead();
}

void ContentStream::Salvage(HoldsRecord holds) {
  trial_.emplace(holds);
  raw_.KeepOverrun();
}

bool ContentStream::MaySeek() {
  return source_->Position() != kUnknown && source_->Remaining() != kUnknown;
}

/// Inflates members ahead from now on, if the source can be read at any
/// position.
void ContentStream::LookAhead() {
  if (compression_ == Compression::kGzip && limits_.most_content > 0 &&
      MaySeek()) {
    ahead_ = std::make_unique<MembersAhead>(source_.get(), limits_);
  }
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

ReadState ContentStream::ReadPlain(uint8_t* dst, size_t size, size_t* got,
                                   Fault* fault) {
  if (raw_.left() > 0) {
    const size_t n = std::min(raw_.left(), size);
    std::memcpy(dst, raw_.unused(), n);
    raw_.Use(n);
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
    if (checkpoints_ != nullptr && member_.content_size == 0 && !segments_) {
      NoteCheckpoint();
    }
    if ((ours_ || trial_) && inflater_->BetweenMembers()) {
      raw_.Keep();
      at_start_ = true;
    }
    if (segments_) {
      if (ReadSegment(dst, size, got, fault)) return ReadState::kBytes;
      if (*fault) return ReadState::kFault;
    }
    if (ahead_ && ReadMember(dst, size, got)) return ReadState::kBytes;
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

/// True if reading may go on at a known checkpoint.
bool ContentStream::UsesCheckpoints() {
  return trial_ && known_ && inflater_ && MaySeek() && !source_->MayRunDry();
}

/// True if content goes on from `checkpoint`.
bool ContentStream::Leads(const Checkpoint& checkpoint) {
  const uint64_t at = checkpoint.point.consumed;
  const uint64_t remaining = source_->Remaining();
  if (checkpoint.compression != compression_ || remaining == kUnknown ||
      at >= source_->Position() + remaining) {
    return false;
  }
  const auto size = static_cast<size_t>(std::min<uint64_t>(
      source_->Position() + remaining - at, RestartTrial::kTried));
  ByteBuffer data;
  if (!data.Reserve(size)) return false;
  size_t got = 0;
  Fault ignored;
  return source_->ReadAt(at, data.data(), size, &got, &ignored) ==
             ReadState::kBytes &&
         trial_->TryCheckpoint(checkpoint, data.data(), size);
}

/// The next known checkpoint after the damage from which content goes on.
std::shared_ptr<const Checkpoint> ContentStream::CheckpointAfterDamage() {
  if (!UsesCheckpoints()) return nullptr;
  const uint64_t after =
      located_ ? restarted_at_ : std::max(restarted_at_, fault_.lost_from());
  uint64_t from = std::max(lost_content_ + 1, tried_until_);
  for (;;) {
    auto checkpoint = known_->CheckpointFrom(from);
    tried_until_ = checkpoint ? checkpoint->point.produced : kUnknown;
    if (!checkpoint ||
        (!checkpoint->partial && checkpoint->point.consumed > after &&
         Leads(*checkpoint))) {
      return checkpoint;
    }
    from = tried_until_ + 1;
  }
}

/// The first known checkpoint at `from` of the content or after it whose
/// checksum tells whether inflating went right.
std::shared_ptr<const Checkpoint> ContentStream::NextCheck(uint64_t from) {
  if (!UsesCheckpoints() || !located_) return nullptr;
  for (;;) {
    auto checkpoint = known_->CheckpointFrom(from);
    if (!checkpoint ||
        (!checkpoint->point.between_members && !checkpoint->partial)) {
      return checkpoint;
    }
    from = checkpoint->point.produced + 1;
  }
}

/// Compares what was inflated so far with the next check.
void ContentStream::Compare() {
  const uint64_t produced = inflater_->produced();
  if (segments_ || produced < check_->point.produced) return;
  if (inflater_->IsAt(check_->point)) matched_ = produced;
  check_ = NextCheck(produced + 1);
}

/// Reads from a member that was inflated ahead. Returns false, with no effect,
/// if there is none.
bool ContentStream::ReadMember(uint8_t* dst, size_t size, size_t* got) {
  if (member_.content_size == 0) {
    const size_t left = raw_.left();
    if (!inflater_->BetweenMembers() ||
        !ahead_->Next(source_->Position() - left, &member_)) {
      return false;
    }
    if (!PassOver(member_.size)) {
      member_ = MembersAhead::Member();
      ahead_.reset();
      return false;
    }
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

/// Uses `size` bytes of the source without reading them. Returns false, with no
/// effect, if the file became shorter: reading in order will report it.
bool ContentStream::PassOver(size_t size) {
  const size_t left = raw_.left();
  const uint64_t unread = size > left ? size - left : 0;
  const uint64_t stepped = source_->StepOver(unread);
  if (stepped < unread) {
    source_->StepBack(stepped);
    return false;
  }
  raw_.Use(std::min(left, size));
  return true;
}

/// Reads from a segment that was inflated ahead. Returns false if there is
/// none: from here on, all is inflated in order. `*fault`: that cannot be done.
bool ContentStream::ReadSegment(uint8_t* dst, size_t size, size_t* got,
                                Fault* fault) {
  if (segment_.content_size == 0) {
    if (!segments_->Next(&segment_) || !PassOver(segment_.size)) {
      return LeaveSegments(fault);
    }
    segment_used_ = 0;
    at_start_ = false;
  }
  const size_t n = std::min(size, segment_.content_size - segment_used_);
  std::memcpy(dst, segment_.content + segment_used_, n);
  segment_used_ += n;
  *got = n;
  if (segment_used_ < segment_.content_size) return true;
  inflater_->MoveTo(segment_.end->point);
  // Points of foreign indexes prove nothing before the end of their member.
  if (trial_ && !segment_.end->partial &&
      !segment_.end->point.between_members) {
    matched_ = segment_.end->point.produced;
  }
  if (checkpoints_ != nullptr &&
      checkpoints_->Wants(segment_.end->point.produced,
                          segment_.end->point.between_members)) {
    checkpoints_->Add(segment_.end);
  }
  segment_ = SegmentsAhead::Segment();
  segments_->Release();
  return true;
}

/// Returns false: goes on in order from the end of the last segment.
bool ContentStream::LeaveSegments(Fault* fault) {
  const std::shared_ptr<const Checkpoint> reached = segments_->reached();
  segments_.reset();
  segment_ = SegmentsAhead::Segment();
  check_ = NextCheck((reached ? reached->point.produced : 0) + 1);
  // Its state was inflated before, so only memory can be missing.
  if (reached &&
      Restore(*reached, inflater_.get()) != RestoreResult::kRestored) {
    *fault = MemoryFault();
  }
  return false;
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
  auto deciding = NextCheck(until);
  while (Proven() < until && matched_ < until) {
    if (deciding && !segments_ &&
        deciding->point.produced <= inflater_->produced()) {
      if (Leads(*deciding)) {
        fault_ = MakeFault(FaultCode::kCompression, "deflate data", 0, 0);
        fault_.compressed_offset = deciding->point.consumed;
        told_ = true;
        *fault = fault_;
        return Proof::kWrong;
      }
      deciding = NextCheck(deciding->point.produced + 1);
      continue;
    }
    if (cancel.cancelled()) return Proof::kCancelled;
    const size_t size = held_.size();
    if (size - held_used_ >= kMostHeld) {
      fault->code = FaultCode::kCompression;
      fault->part = "proof";
      return Proof::kTooFar;
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
          if (held_start_ != kNoStart) returned_ = MemberStart();
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
  if (search_) return Search(&*search_, skipped);
  if (held_start_ != kNoStart && held_used_ <= held_start_ && ours_ &&
      inflated_.records != kUnknown) {
    *skipped += held_start_ - held_used_;
    held_used_ = held_start_;
    next_ = {inflated_.position, inflated_.offset, true, returned_, nullptr};
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
    const MemberStart before = inflated_;
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
  ahead_.reset();
  segments_.reset();
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
  if (told_) damage.lost_from = damage.not_before;
  // The size of the content, at the end of the member, is the fault.
  if (fault_.trailer_end == fault_.compressed_offset + kContentSizeBytes) {
    damage.content_end = inflater_->produced();
  }
  search_.emplace(&raw_, damage);
  if (trial_) {
    search_->EndAt(CheckpointAfterDamage());
    search_->TryMembers(&*trial_);
    // A checkpoint that tells of damage lies in the same member.
    if (compression_ != Compression::kGzip || told_) search_->SeekNoMembers();
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
    trial_.reset();
    return ReadState::kBytes;
  } else {
    skipped_raw_ = search->read() - inflater_->consumed();
    search_.reset();
    ours_ = false;
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
  told_ = false;
  restarted_at_ = next.position;
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
    check_ = NextCheck(inflater_->produced() + 1);
    if (next.from) {
      InflateAhead(next.from);
    } else {
      LookAhead();
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

bool ContentStream::StepBack(uint64_t count) {
  if (inflater_ || !recognised_) return false;
  // The source must also step back over the unread bytes of the head.
  if (!source_->StepBack(count + raw_.left())) return false;
  raw_.Clear();
  plain_used_ -= count;
  return true;
}

uint64_t ContentStream::StepOver(uint64_t count) {
  if (inflater_ || raw_.left() > 0) return 0;
  const uint64_t step = source_->StepOver(count);
  plain_used_ += step;
  return step;
}

uint64_t ContentStream::Remaining() {
  if (inflater_) return kUnknown;
  const uint64_t remaining = source_->Remaining();
  return remaining == kUnknown ? kUnknown : remaining + raw_.left();
}

uint64_t ContentStream::consumed() const {
  if (!inflater_) return plain_used_ + skipped_raw_;
  // All that was read: a feeder goes on only when it is consumed.
  if (search_) return search_->read();
  uint64_t consumed = inflater_->consumed() + skipped_raw_;
  if (member_.content_size > 0) {
    consumed += uint64_t{member_.size} * member_used_ / member_.content_size;
  }
  if (segment_.content_size > 0) {
    consumed += uint64_t{segment_.size} * segment_used_ / segment_.content_size;
  }
  return consumed;
}

void ContentStream::Close() {
  ahead_.reset();
  segments_.reset();
  segment_ = SegmentsAhead::Segment();
  member_ = MembersAhead::Member();
  source_->Close();
}

}  // namespace tfr
