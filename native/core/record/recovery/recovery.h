#ifndef TFR_CORE_RECORD_RECOVERY_RECOVERY_H_
#define TFR_CORE_RECORD_RECOVERY_RECOVERY_H_

#include <cstddef>
#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/content/content_stream.h"
#include "core/record/framing/framer.h"
#include "core/record/recovery/member_numbers.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Ends a stream of records at a fault, counts the bytes that are lost, and
/// finds the place where reading can go on.
class Recovery {
 public:
  /// `seeks`: reading may go on with a later gzip member. `counts_lost` and
  /// `salvages`: as `ReadOptions`. `content` must live as long as this object.
  Recovery(ContentStream* content, bool seeks, bool counts_lost, bool salvages);

  /// kEnd or kHalt once reached, and the fault of a halt; else kMore.
  FillOutcome outcome() const { return outcome_; }
  const Fault& fault() const { return fault_; }

  FillOutcome End() { return outcome_ = FillOutcome::kEnd; }

  /// Reads content, as `ContentStream::Read` does. The first byte is at `at`;
  /// the next record to be framed is `next`.
  ReadState Read(uint64_t at, const StreamPlace& next, uint8_t* dst,
                 size_t size, size_t* got, Fault* fault);
  /// Notes that all records before `offset` were framed.
  void Framed(uint64_t offset) { members_.Framed(offset); }

  /// Returns how many of the `size` unframed bytes at `offset` are lost by
  /// `fault`: all, or those before the next member. If the caller keeps the
  /// others, it calls `CarryNext` before `Halt`.
  size_t LostOf(size_t size, uint64_t offset, const Fault& fault) const;
  void CarryNext() { carries_next_ = true; }

  /// Ends the stream with `fault`, at `next`. `lost` bytes after it were read
  /// and are lost. If the others are to be counted, returns kMore, and `Count`
  /// must follow.
  FillOutcome Halt(Fault fault, uint64_t lost, const StreamPlace& next,
                   SlabFill* fill);
  /// True if a halt is pending while the bytes after it are counted.
  bool counting() const { return counting_; }
  /// Counts them, and halts. May overwrite the `size` bytes at `scratch`.
  FillOutcome Count(uint8_t* scratch, size_t size, const CancelToken& cancel,
                    SlabFill* fill);

  /// After `Count` has returned kMore: content goes on where the region of a
  /// record may lie. Returns the offset from which on records are searched, and
  /// forgets the halt, whose fault is `fault()` and whose place `halted()`.
  bool torn() const { return torn_; }
  const StreamPlace& halted() const { return halted_; }
  uint64_t ResumeTorn();

  /// Halts the stream with the fault of a region that `Salvage` settled.
  /// Reading goes on at `next`.
  FillOutcome HaltAtRegion(const Fault& fault, const StreamPlace& next,
                           SlabFill* fill);

  /// After a halt with `Fault::resumes`: makes the stream go on with
  /// `Continue`. Returns false after anything else.
  bool Resume();
  /// After a halt: as if there had been no fault.
  void Forget();
  /// True if the halt was at such a region.
  bool at_region() const { return at_region_; }
  /// Goes on after it. Returns the next record.
  StreamPlace ContinueAfterRegion();
  /// The next step is to `Continue`; the caller has the bytes from the next
  /// member on.
  bool continuing() const { return continuing_; }
  bool carries_next() const { return carries_next_; }
  /// Goes on with the next member of ours. Returns kMore, with its first record
  /// in `*next`, if there is one. The number of that record is a guess where no
  /// header has it. May overwrite the `size` bytes at `scratch`.
  FillOutcome Continue(uint8_t* scratch, size_t size, const CancelToken& cancel,
                       StreamPlace* next, SlabFill* fill);

 private:
  bool MayResume(const Fault& fault) const;
  uint64_t NumberAfter(uint64_t record, uint64_t next) const;
  void Begin(uint64_t record, const MemberStart& member, StreamPlace* next);

  ContentStream* const content_;
  const bool seeks_;
  const bool counts_lost_;
  const bool salvages_;
  MemberNumbers members_;
  FillOutcome outcome_ = FillOutcome::kMore;
  Fault fault_;
  /// The place of the last halt.
  StreamPlace halted_{0, 0};
  bool counting_ = false;
  bool continuing_ = false;
  bool carries_next_ = false;
  bool torn_ = false;
  bool at_region_ = false;
  StreamPlace after_region_{0, 0};
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_RECOVERY_RECOVERY_H_
