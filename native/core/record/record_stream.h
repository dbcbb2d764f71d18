#ifndef TFR_CORE_RECORD_RECORD_STREAM_H_
#define TFR_CORE_RECORD_RECORD_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/byte_buffer.h"
#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/record/content_stream.h"
#include "core/record/slab_fill.h"

namespace tfr {

enum class Verify : uint8_t { kAll, kLength, kNone };

struct RecordStreamOptions {
  Compression compression = Compression::kAuto;
  Verify verify = Verify::kAll;
  uint64_t max_record_bytes = 0x7fffffff;
  AheadLimits ahead;
  /// Stream offset and number of the record that the source begins with.
  uint64_t first_offset = 0;
  uint64_t first_record = 0;
  /// Reading may go on after damage. Then, after a record of wrong data in a
  /// compressed stream, no record is given before the members that hold the
  /// wrong one were found right. (Otherwise inflating went wrong, and a record
  /// that looks right may belong elsewhere.)
  bool goes_on = false;
  /// A halt gives the number of lost bytes, for which the rest is read through.
  bool counts_lost = false;
};

/// Turns the bytes of one file into framed slabs. One machine for every source
/// and codec, in two steps: `FillSlab` reads, inflates, frames and judges the
/// lengths; it must see the slabs in order, one thread at a time. `Complete`
/// judges the data of a filled slab, beside later fills; for large records of a
/// plain file it also reads them.
///
/// Only whole records stay in a slab: the part of a record at its end goes into
/// the next one. Nothing is allocated for a record before its length was found
/// right, allowed, and (where the size of the file tells) there.
class RecordStream {
 public:
  RecordStream(std::unique_ptr<ByteSource> source,
               const RecordStreamOptions& options);

  /// Bytes of the smallest slab.
  static constexpr size_t kLeastSlab = 64;

  /// Fills `slab` (less than 4 GiB) with the next records.
  /// A halt, the end and cancellation are final: later fills repeat them.
  void FillSlab(uint8_t* slab, size_t size, const CancelToken& cancel,
                SlabFill* fill);

  /// Second step, of every fill, on any thread. Adds `fill->faults`; turns the
  /// fill into a halt when its bytes cannot be read any more.
  void Complete(uint8_t* slab, const CancelToken& cancel, SlabFill* fill) const;

  /// After a halt with kRecordTooLarge: lets the next fill pass over that
  /// record. Otherwise nothing.
  void PassOver();

  void Close() { content_.Close(); }

 private:
  /// What is in the slab: whole frames up to `begin`, then bytes not framed yet
  /// up to `end`.
  struct Window {
    uint8_t* slab;
    size_t size;
    size_t begin = 0;
    size_t end = 0;
  };
  enum class Scanned : uint8_t { kShort, kBadLength, kTooLarge, kNoMemory };

  FillOutcome Run(const Window& empty, const CancelToken& cancel,
                  SlabFill* fill);
  bool Walk(size_t limit, SlabFill* fill);
  Scanned Scan(Window* window, SlabFill* fill);
  bool Keep(const Window& window, SlabFill* fill);
  FillOutcome Leave(const Window& window, FillOutcome outcome, SlabFill* fill);
  FillOutcome Large(const CancelToken& cancel, SlabFill* fill);
  FillOutcome Discard(const Window& scratch, const CancelToken& cancel,
                      SlabFill* fill);
  void SumDiscarded(const uint8_t* bytes, size_t size);
  FillOutcome BadLength(Window* window, SlabFill* fill);
  FillOutcome TooLarge(const Window& window, SlabFill* fill);
  FillOutcome AtEndOf(const Window& window, SlabFill* fill);
  FillOutcome AtEnd(uint64_t have, uint64_t unframed, SlabFill* fill);
  FillOutcome Halt(Fault fault, uint64_t unframed, SlabFill* fill);
  FillOutcome CountLost(const Window& scratch, const CancelToken& cancel,
                        SlabFill* fill);
  FillOutcome ResolveDoubt(const CancelToken& cancel, SlabFill* fill);
  bool Judge(size_t from, Window* window, SlabFill* fill);
  bool JudgesInOrder(Compression compression) const {
    return options_.goes_on && compression != Compression::kNone;
  }
  bool CheckFrame(const uint8_t* slab, size_t index, SlabFill* fill) const;
  void CheckData(const uint8_t* slab, const CancelToken& cancel,
                 SlabFill* fill) const;

  const RecordStreamOptions options_;
  ContentStream content_;
  /// Stream offset and number of the next record that is not framed yet.
  uint64_t offset_;
  uint64_t record_;
  /// Bytes from there on that were read already and cannot be read again.
  ByteBuffer carry_;
  /// Bytes that the slab must hold for it, once its length is known.
  uint64_t need_ = 0;
  /// Bytes of a record too large that are still to be passed over.
  uint64_t discard_ = 0;
  /// The checksum of those of its data that were passed over, and the stored
  /// one.
  uint32_t discarded_crc_ = 0;
  uint32_t discarded_stored_ = 0;
  /// The end of the doubtful record: no record after it is given until
  /// inflating is known to have gone right. 0 without doubt.
  uint64_t doubt_ = 0;
  /// True if a halt is known, and the bytes after it are being counted.
  bool counting_ = false;
  size_t typical_frames_ = 64;
  /// The last slab's records were large.
  bool large_ = false;
  /// kEnd or kHalt once reached; else kMore.
  FillOutcome final_ = FillOutcome::kMore;
  Fault final_fault_;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_RECORD_STREAM_H_
