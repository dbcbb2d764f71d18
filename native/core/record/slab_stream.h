#ifndef TFR_CORE_RECORD_SLAB_STREAM_H_
#define TFR_CORE_RECORD_SLAB_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/buffers.h"
#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/content/content_stream.h"
#include "core/record/framing/framer.h"
#include "core/record/read_options.h"
#include "core/record/recovery/recovery.h"
#include "core/record/recovery/salvage.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Turns the bytes of one file into slabs of frames; serves every source and
/// compression. Two steps: `FillSlab` reads, inflates and frames; slabs come in
/// order, one thread at a time. `Complete` checks the data of a filled slab,
/// concurrently with later fills; for large records of a plain file it also
/// reads them. The Framer knows the format of the records.
///
/// A slab holds only whole records: a partial record at its end goes to the
/// next slab. Memory for a record is allocated only once its length is known to
/// be valid, allowed, and (if the file size is known) within the file.
class SlabStream {
 public:
  SlabStream(std::unique_ptr<ByteSource> source, std::unique_ptr<Framer> framer,
             const ReadOptions& options);

  /// Minimum size of a slab.
  static constexpr size_t kLeastSlab = 64;
  /// Usual size of slabs that only native code sees.
  static constexpr size_t kNativeSlab = size_t{256} << 10U;

  /// Fills `slab` (less than 4 GiB) with the next records. A halt, the end and
  /// cancellation are final: later fills repeat them.
  /// `Verify::kCounted`: fills it again and again. The frames are then those of
  /// the last time, or a single empty one that stands for the last record.
  void FillSlab(uint8_t* slab, size_t size, const CancelToken& cancel,
                SlabFill* fill);

  /// Second step of every fill, on any thread. Adds `fill->faults`; turns the
  /// fill into a halt if its bytes can no longer be read.
  void Complete(uint8_t* slab, const CancelToken& cancel, SlabFill* fill) const;

  /// After a halt with kRecordTooLarge: makes the next fill skip that record,
  /// if its size is known. After one with `Fault::resumes`: makes the next fill
  /// go on with the next gzip member of ours, in which a record begins; it ends
  /// the stream if there is none. Otherwise does nothing.
  ///
  /// Numbers of records go on with the right one if the header of the damaged
  /// member says how many it has, else as if one record were lost; offsets of
  /// content go on where the damaged member would end, if its size is known.
  ///
  /// A reader that salvages halts with `Fault::resumes` at every damage, and
  /// goes on at the record at `Fault::region_end`, or with the next member.
  void Skip();

  void Close() { content_.Close(); }

 private:
  void FillOnce(uint8_t* slab, size_t size, const CancelToken& cancel,
                SlabFill* fill);
  void NoteRecords(const SlabFill& fill);
  FillOutcome Run(const Window& empty, const CancelToken& cancel,
                  SlabFill* fill);
  ReadState Read(uint64_t at, uint8_t* dst, size_t size, size_t* got,
                 Fault* fault) {
    return recovery_.Read(at, next_, dst, size, got, fault);
  }
  bool Walk(size_t limit, SlabFill* fill);
  Found Find(Window* window, bool last, SlabFill* fill);
  void Note(const Window& window, uint64_t need, SlabFill* fill);
  FillOutcome Stop(Window* window, Found found, SlabFill* fill);
  bool CountFitting(Window* window, bool ended, Fault* fault);
  bool Keep(const Window& window, SlabFill* fill);
  FillOutcome Leave(const Window& window, FillOutcome outcome, SlabFill* fill);
  FillOutcome Large(const CancelToken& cancel, SlabFill* fill);
  bool Gathered(SlabFill* fill);
  FillOutcome Discard(const Window& scratch, const CancelToken& cancel,
                      SlabFill* fill);
  bool SkipBytes(const uint8_t* bytes, size_t size);
  FillOutcome AtEndOf(Window* window, SlabFill* fill);
  FillOutcome AtEnd(uint64_t have, uint64_t unframed, SlabFill* fill);
  Fault EndFault(uint64_t have);
  FillOutcome Ended(SlabFill* fill);
  FillOutcome Damaged(const Window& window, const Fault& fault, SlabFill* fill);
  FillOutcome DamagedInCarry(const Fault& fault, SlabFill* fill);
  void BeginTorn();
  FillOutcome FindRegion(const CancelToken& cancel, SlabFill* fill);
  FillOutcome ProveDamage(const CancelToken& cancel, SlabFill* fill);
  void ContinueAfterRegion();
  FillOutcome HaltIn(const Window& window, const Fault& fault, SlabFill* fill);
  FillOutcome HaltInCarry(const Fault& fault, SlabFill* fill);
  FillOutcome Halt(const Fault& fault, uint64_t unframed, SlabFill* fill);
  FillOutcome Continue(const Window& scratch, const CancelToken& cancel,
                       SlabFill* fill);
  FillOutcome ResolveDoubt(const CancelToken& cancel, SlabFill* fill);
  /// True if `FillSlab` checks the data, because inflating may have gone wrong.
  bool JudgesInOrder(Compression compression) const {
    return options_.salvages ||
           (options_.continues && compression != Compression::kNone);
  }

  const ReadOptions options_;
  const std::unique_ptr<Framer> framer_;
  ContentStream content_;
  /// The next unframed record.
  StreamPlace next_;
  /// Bytes from there on that were read already and cannot be read again.
  ByteBuffer carry_;
  /// Size of that record, once its length is known.
  uint64_t need_ = 0;
  /// True while a record of unknown length is gathered in `carry_`; `gathered_`
  /// is the window on it.
  bool gathering_ = false;
  Window gathered_;
  /// The stream ends with `carry_`.
  bool gathered_all_ = false;
  /// Bytes still to skip of a record that is too large.
  uint64_t discard_ = 0;
  /// End of a record whose inflated data is in doubt, or 0. No later record is
  /// delivered until inflating is known to have gone right.
  uint64_t doubt_ = 0;
  Recovery recovery_;
  Salvage salvage_;
  /// The damage that `salvage_` looks at is that of the content itself; and
  /// nothing follows the bytes in `carry_`.
  bool proven_ = false;
  bool ended_ = false;
  /// Null without an index, and after damage.
  IndexSink* index_;
  /// The length of the first record must be right, whatever is verified.
  bool check_length_;
  size_t typical_frames_ = 64;
  /// The records of the last slab were large.
  bool large_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_SLAB_STREAM_H_
