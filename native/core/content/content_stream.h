#ifndef TFR_CORE_CONTENT_CONTENT_STREAM_H_
#define TFR_CORE_CONTENT_CONTENT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/cancel.h"
#include "core/compression/container_inflater.h"
#include "core/content/ahead/inflated_ahead.h"
#include "core/content/ahead/members_ahead.h"
#include "core/content/ahead/segments_ahead.h"
#include "core/content/checkpoint.h"
#include "core/content/held_content.h"
#include "core/content/kind/content_kind.h"
#include "core/content/plain_content.h"
#include "core/content/raw_input.h"
#include "core/content/recovery/checkpoint_checks.h"
#include "core/content/recovery/member_search.h"
#include "core/content/recovery/restart_trial.h"
#include "core/io/byte_source.h"

namespace tfr {

/// The uncompressed bytes of a file.
///
/// If the source is seekable, the gzip members of our own files are inflated in
/// parallel. This affects only speed.
class ContentStream {
 public:
  ContentStream(std::unique_ptr<ByteSource> source, Compression option,
                const AheadLimits& limits = {},
                ContentRule rule = ContentRule::kRecords);
  ~ContentStream();

  /// Before the first `Read`: makes it begin at `offset` of the content, at or
  /// after `from`. The source must begin where `from` is.
  void StartAt(std::shared_ptr<const Checkpoint> from, uint64_t offset);
  /// Before the first `Read`: `sink` receives checkpoints of compressed
  /// content, of all that is read; in a file of our gzip members, only those
  /// between members. A later call with null ends that.
  void NoteCheckpoints(CheckpointSink* sink) { checkpoints_ = sink; }
  /// Before the first `Read`: if the source is seekable, content between
  /// checkpoints that `source` knows is inflated in parallel, unless the file
  /// begins with a gzip member of ours. This affects only speed.
  void KnowCheckpoints(std::shared_ptr<const CheckpointSource> source,
                       uint64_t least_content = SegmentsAhead::kLeastContent) {
    known_ = std::move(source);
    least_segment_ = least_content;
  }
  /// Before the first `Read`: after damage in a file that begins with a gzip
  /// member of ours, `SkipRest` stops at the next member of ours, with which
  /// reading can go on.
  void SeekMembers() { seeks_ = true; }
  /// Before the first `Read`: after damage in compressed content, `SkipRest`
  /// stops at the next member of any writer, or at the next known checkpoint,
  /// from which content goes on.
  void Salvage(HoldsRecord holds);

  /// Like `ByteSource::Read`, for uncompressed bytes. kBytes may come without
  /// bytes, while compressed data inflates to nothing. A fault comes after
  /// all valid bytes before it, and is sticky. Faults: those of the source and
  /// of `ContainerInflater`, and kCompression if the content contradicts
  /// `option`; `detail` names the content.
  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault* fault);

  /// Uncompressed bytes of compressed members that were verified to their ends;
  /// `kUnknown` (no limit) for a plain file.
  uint64_t Proven() const;

  enum class Proof : uint8_t { kRight, kWrong, kTooFar, kDry, kCancelled };

  /// Reads ahead until the compressed members that hold the first `until` bytes
  /// are verified to their ends. `Read` returns the bytes inflated meanwhile.
  /// kWrong: the members are faulty. kTooFar: they inflate to more than
  /// `kMostHeld` bytes after those already read. `*fault` says so.
  Proof Prove(uint64_t until, const CancelToken& cancel, Fault* fault);
  static constexpr size_t kMostHeld = size_t{64} << 20;

  /// The member of the bytes that the last `Read` returned, which are all of
  /// one member. Only after `SeekMembers`; the offset is `kUnknown` if it is
  /// not known where that member begins.
  const MemberStart& member() const { return returned_; }

  /// True if reading may go on after damage.
  bool MayResume() const { return ours_ || (trial_ && inflater_); }

  /// Before `SkipRest`: the content from `offset` on is lost.
  void LoseFrom(uint64_t offset) { lost_content_ = offset; }

  /// Skips the rest, one step per call, and adds to `*skipped` the uncompressed
  /// bytes, or, after a compression fault, the compressed bytes. kBytes: there
  /// may be more. kEnd: nothing is left, or `next_member` is there. May
  /// overwrite `scratch`.
  ReadState SkipRest(uint8_t* scratch, size_t size, uint64_t* skipped);

  /// The place where reading can go on after `SkipRest`; null: none.
  const NextMember* next_member() const { return next_ ? &*next_ : nullptr; }

  /// Goes on with the next member. Returns the content offset of the next byte
  /// that `Read` gives, which is at least `least`: of the member's first byte,
  /// or of the start if that is not reached yet.
  uint64_t Resume(uint64_t least);

  /// The content offsets are right: nothing of unknown size was lost.
  bool located() const { return located_; }
  /// As `CheckpointSource::RecordAt`.
  uint64_t RecordAt(uint64_t offset) const {
    return known_ && located_ ? known_->RecordAt(offset) : kUnknown;
  }

  /// The content before the start is not skipped yet.
  bool before_start() const { return skip_ > 0; }

  /// Like `ByteSource` if the content is plain; else false, 0 and `kUnknown`.
  bool StepBack(uint64_t count);
  uint64_t StepOver(uint64_t count);
  uint64_t Remaining();

  /// Like `ByteSource`. This is the source's position; after a `StepBack(0)`,
  /// also that of the next `Read`.
  uint64_t Position() const { return source_->Position(); }
  ReadState ReadAt(uint64_t position, uint8_t* dst, size_t size, size_t* got,
                   Fault* fault) const {
    return source_->ReadAt(position, dst, size, got, fault);
  }
  bool MayRunDry() const { return source_->MayRunDry(); }
  void Want(uint64_t position, size_t size) { source_->Want(position, size); }

  bool compressed() const { return inflater_ != nullptr; }
  /// The detected compression; kNone before the first `Read`.
  Compression compression() const { return compression_; }
  /// Raw bytes consumed.
  uint64_t consumed() const;
  uint64_t total_bytes() const { return source_->TotalBytes(); }
  void Close();

 private:
  ReadState Recognise(Fault* fault);
  Compression RecogniseDamaged();
  ReadState Choose(Compression kind, std::shared_ptr<const Checkpoint> from,
                   Fault* fault);
  void InflateAhead(std::shared_ptr<const Checkpoint> from);
  void InflateMembersAhead();
  void ExpectCheck(uint64_t from);
  void CompareWithCheck();
  bool ResumeFrom(const Checkpoint& checkpoint);
  ReadState Resume(Fault* fault);
  ReadState ReadOn(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  void NoteCheckpoint();
  ReadState ReadNext(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  void NoteMember(uint64_t offset);
  MemberSearch* BeginSearch();
  ReadState Search(MemberSearch* search, uint64_t* skipped);
  ReadState SkipRaw(uint8_t* scratch, size_t size, uint64_t* skipped);
  ReadState ReadInflated(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  bool ReadSegment(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  bool LeaveSegments(Fault* fault);

  const std::unique_ptr<ByteSource> source_;
  const Compression option_;
  const AheadLimits limits_;
  const ContentRule rule_;
  bool recognised_ = false;
  /// First the head of the source, then input of the inflater.
  RawInput raw_;
  PlainContent plain_;
  /// Set until reading begins there; and the content to skip then.
  std::shared_ptr<const Checkpoint> from_;
  uint64_t skip_ = 0;
  CheckpointSink* checkpoints_ = nullptr;
  CheckpointMaker checkpoint_maker_;
  Compression compression_ = Compression::kNone;
  std::unique_ptr<ContainerInflater> inflater_;
  InflatedAhead ahead_;
  std::shared_ptr<const CheckpointSource> known_;
  uint64_t least_segment_ = 0;
  /// Bytes that `Prove` inflated.
  HeldContent held_;
  /// `SeekMembers` was called; and the content begins with a member of ours.
  bool seeks_ = false;
  bool ours_ = false;
  /// Set by `Salvage`.
  std::optional<RestartTrial> trial_;
  /// Set where a reader that salvages knows checkpoints of compressed content.
  std::optional<CheckpointChecks> checks_;
  bool located_ = true;
  uint64_t lost_content_ = 0;
  /// The source's position at the last restart.
  uint64_t restarted_at_ = 0;
  /// Content goes on from a checkpoint that no later one has confirmed.
  bool unconfirmed_ = false;
  /// If a known checkpoint showed the damage: the offset in the source of the
  /// end of the content that was inflated.
  uint64_t told_ = kUnknown;
  /// Members are short enough to begin with one.
  bool notes_members_ = false;
  /// The members of the bytes inflated last, and of those returned last.
  MemberStart inflated_;
  MemberStart returned_;
  /// No byte of the current member was inflated yet.
  bool at_start_ = true;
  std::optional<MemberSearch> search_;
  std::optional<NextMember> next_;
  /// True if `SkipRest` counts raw bytes, and the number skipped so far.
  bool skipping_raw_ = false;
  uint64_t skipped_raw_ = 0;
  Fault fault_;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_CONTENT_STREAM_H_
