#ifndef TFR_CORE_RECORD_RECOVERY_SALVAGE_H_
#define TFR_CORE_RECORD_RECOVERY_SALVAGE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/record/framing/framer.h"
#include "core/record/recovery/data_checks.h"

namespace tfr {

/// Finds the place after damaged records where reading can go on: a lost region
/// ends there. All decisions depend on the bytes of the content alone, never on
/// the pieces in which they come.
///
/// - If the length of the damaged record is still known, and a record or the
///   end of the content follows it, the region is that record. Its length is
///   known from a right header; or if only the length or only its checksum is
///   damaged, from the other of the two. Whole records within it are its data,
///   and are not delivered, except for those that run to its very end: no data
///   reaches that far, so bytes before them are missing.
/// - Otherwise the region ends at the next whole record, or at the next header
///   that is followed by another one.
///
/// The records found by such a search may themselves be data of a damaged
/// record. This shows only later: in a file, records follow each other up to
/// the end, while those in a record's data break off. So the records
/// between two searches are in doubt; see `Fault::doubtful`.
class Salvage {
 public:
  /// A length that is known from a damaged header is believed up to this many
  /// bytes, which are held meanwhile.
  static constexpr uint64_t kMostHeld = uint64_t{64} << 20;

  explicit Salvage(uint64_t most_record_bytes) : most_(most_record_bytes) {}

  /// Begins the region of `fault`, at the record `next` of the content. `need`:
  /// the size of that record, 0 if it is not known.
  void Begin(const Fault& fault, const StreamPlace& next, uint64_t need);
  /// Begins to search for the end of the region of `fault`, at the record
  /// `start`: compressed data is damaged, and content goes on at `offset`.
  /// `located`: that offset is right. `doubtful`: the content there may be the
  /// data of a record.
  void BeginTorn(const Fault& fault, const StreamPlace& start, uint64_t offset,
                 bool located, bool doubtful);
  /// True from `Begin` until `Look` gives a final answer, or `Abandon`.
  bool active() const { return active_; }

  enum class Answer : uint8_t { kMore, kFound, kNone };
  /// Looks at `held`, the content from `offset()` on, and drops the bytes that
  /// are no longer needed. `ended`: nothing follows. kMore: more bytes are
  /// needed. kFound: reading goes on at `offset()`.
  Answer Look(ByteBuffer* held, bool ended);
  uint64_t offset() const { return offset_; }
  /// The fault of the region; after `Look`, with all facts about it.
  const Fault& fault() const { return fault_; }
  /// Compressed data is damaged.
  bool torn() const { return torn_; }
  /// After kFound: the number of the next record is known from elsewhere.
  void Number(uint64_t record);
  /// The place where reading goes on.
  StreamPlace after() const { return {offset_, fault_.resume_record}; }
  /// Bytes that are lost if `held` more are.
  uint64_t LostWith(size_t held) const;

  /// Bytes of the content up to which inflating must have gone right, for the
  /// damage to be that of the content.
  uint64_t doubt() const { return doubt_; }
  /// Gives up the search: the content itself ended in a fault.
  void Abandon() { active_ = false; }

  /// The records break off before `next` for another reason. Returns how many
  /// of them are in doubt.
  uint64_t BreakOff(const StreamPlace& next);
  /// The content ends at `next`. Returns how many of the last records lie where
  /// the data of a damaged record should be.
  uint64_t AtEnd(const StreamPlace& next);

 private:
  enum class Phase : uint8_t { kOver, kLengths, kSearch };

  bool Hint(const ByteBuffer& held, bool ended);
  Answer PassOver(ByteBuffer* held, bool ended);
  Answer TryLengths(ByteBuffer* held, bool ended);
  Answer Search(ByteBuffer* held, bool ended);
  void Drop(ByteBuffer* held, size_t count);
  void Found(ByteBuffer* held, size_t at, bool known);
  void Settle(bool found);
  uint64_t Doubtful(const StreamPlace& next) const;

  const uint64_t most_;
  Fault fault_;
  StreamPlace start_{0, 0};
  bool active_ = false;
  bool torn_ = false;
  bool located_ = true;
  bool doubtful_ = false;
  /// The place where the search began.
  uint64_t searched_from_ = 0;
  /// Bytes that were lost before.
  uint64_t lost_before_ = 0;
  Phase phase_ = Phase::kSearch;
  uint64_t offset_ = 0;
  uint64_t doubt_ = 0;
  /// Bytes still to skip of a record that is too large.
  uint64_t over_ = 0;
  /// Sizes that the damaged record may have, the first of them tried first.
  uint64_t sizes_[2] = {};
  size_t size_count_ = 0;
  size_t tried_ = 0;
  bool hinted_ = false;
  /// Bytes that were read for lengths that proved wrong.
  uint64_t missed_ = 0;
  /// Checks in the held bytes.
  DataChecks checks_;
  /// End of the damaged record by its right header; `kUnknown` if it is not.
  uint64_t reach_ = kUnknown;
  /// In `kSearch`: no record begins before this index of the held bytes.
  size_t index_ = 0;

  /// The records since the last search.
  struct Run {
    bool searched = false;
    StreamPlace start{0, 0};
    /// The data of a damaged record would reach up to here.
    uint64_t reach = kUnknown;
  };
  Run run_;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_RECOVERY_SALVAGE_H_
