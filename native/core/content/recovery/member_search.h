#ifndef TFR_CORE_CONTENT_RECOVERY_MEMBER_SEARCH_H_
#define TFR_CORE_CONTENT_RECOVERY_MEMBER_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/fault.h"
#include "core/content/checkpoint.h"
#include "core/content/raw_input.h"
#include "core/content/recovery/restart_trial.h"
#include "core/io/byte_source.h"

namespace tfr {

/// Longest member that a search believes on its own evidence. Bounds the bytes
/// that a search holds, with `kMostVerbatim`.
inline constexpr size_t kLongestFound = size_t{4} << 20;

/// Trials of members that a search does not believe on their own evidence.
struct MemberTrials {
  RestartTrial* trial;
  /// No member that begins before this index is tried.
  size_t from;
  /// The evidence of the member that was found.
  Evidence evidence;
};

/// Searches `data` from `*at` on for the start of a gzip member that we wrote
/// (core/compression/gzip_member.h), for reading to go on there after damage.
/// `last`: the source ends with `data`.
///
/// A record may hold such a file, so a header alone proves nothing. A member is
/// believed if it begins at index `expected`, where the damaged member says
/// that it ends; or if a chain of members, each where the one before ends, runs
/// from it over more than `kMostVerbatim` bytes or to the end of the source.
/// Within a record a chain is shorter: deflate interrupts it. With `trials`,
/// other members, of any writer, are tried.
///
/// Returns true with the member's start in `*at`. Returns false if more data is
/// needed, or there is none: no member begins before `*at`.
bool FindMember(const uint8_t* data, size_t size, bool last, size_t expected,
                size_t* at, MemberTrials* trials = nullptr);

/// A gzip member, by the content offset of its first byte.
struct MemberStart {
  uint64_t offset = kUnknown;
  /// Number of its records, by its header; `kUnknown` if it is not ours.
  uint64_t records = kUnknown;
  /// Offset of its header in the source.
  uint64_t position = kUnknown;
};

/// The place where reading can go on after damage.
struct NextMember {
  /// Offsets in the source, and in the content as far as that is known.
  uint64_t position = kUnknown;
  uint64_t offset = 0;
  /// `offset` is right: the end of the damaged member's content is known.
  bool located = false;
  /// The member directly before it. `records` is `kUnknown` if the header
  /// does not say, or the member is not directly before.
  MemberStart before;
  /// The checkpoint at which reading goes on instead of at a member.
  std::shared_ptr<const Checkpoint> from;
  /// The first byte of the source that is lost: that of the damage, if it was
  /// noticed before this place; else a place before it.
  uint64_t lost_from = kUnknown;
  /// A record may have begun before this place.
  bool torn = false;
  Evidence evidence = Evidence::kProven;
};

/// Facts about a member whose inflating ended in a fault.
struct DamagedMember {
  /// Offsets in the source: the end of the bytes that the inflater used, and
  /// the byte from which on all count as lost.
  uint64_t used = 0;
  uint64_t lost_from = 0;
  /// If nothing follows, the bytes from here on count as lost, because those
  /// before were inflated and count as content. `kUnknown`: from `lost_from`
  /// on.
  uint64_t counted_from = kUnknown;
  /// The damage is not before this place.
  uint64_t not_before = 0;
  /// Offset of its content.
  uint64_t content = 0;
  /// The end of its content, if all of it was inflated, because only the size
  /// in its trailer is wrong.
  uint64_t content_end = kUnknown;
};

/// A search of the raw bytes after damage for the next member of ours, or for
/// what else a reader that salvages can go on with.
class MemberSearch {
 public:
  /// `raw` ends its used bytes at `damaged.used`. The search begins after the
  /// start of the damaged member, or with the unused bytes if that start was
  /// not kept. `raw` must live as long as this object, which alone changes it.
  MemberSearch(RawInput* raw, const DamagedMember& damaged);

  /// Before the first step: members of any writer are tried, too.
  void TryMembers(RestartTrial* trial);
  /// Before the first step: looks for no members, as in a zlib file.
  void SeekNoMembers() { seeks_members_ = false; }
  /// Before the first step: the search ends at `checkpoint`, from which content
  /// continues, or at an earlier member.
  void EndAt(std::shared_ptr<const Checkpoint> checkpoint) {
    checkpoint_ = std::move(checkpoint);
  }

  /// One step. kBytes: there may be more. kEnd: `found()`, or nothing is left;
  /// then `*skipped` grows by the number of lost bytes.
  ReadState Step(uint64_t* skipped, Fault* fault);

  /// The place to go on; else null. A member begins at index `index()` of the
  /// raw bytes.
  const NextMember* found() const { return found_ ? &*found_ : nullptr; }
  size_t index() const { return index_; }
  /// Offset in the source up to which bytes were read.
  uint64_t read() const { return raw_at_ + raw_->size(); }

 private:
  void ReadLostSizes();
  bool Find();
  uint64_t LostBefore(uint64_t position) const;
  void NoteFound(uint64_t* skipped);
  bool PassedCheckpoint() const;
  void NoteCheckpoint(uint64_t* skipped);

  RawInput* const raw_;
  const DamagedMember damaged_;
  /// The raw bytes begin there in the source, and no member begins before this
  /// index of them.
  uint64_t raw_at_;
  size_t index_;
  /// Start and end of the damaged member in the source, and its number of
  /// records, as far as its header was kept and is believed.
  uint64_t lost_start_;
  uint64_t lost_end_ = kUnknown;
  uint64_t lost_records_ = kUnknown;
  bool seeks_members_ = true;
  RestartTrial* trial_ = nullptr;
  /// No member that begins before this place in the source is tried.
  uint64_t trial_from_ = 0;
  Evidence evidence_ = Evidence::kProven;
  std::shared_ptr<const Checkpoint> checkpoint_;
  std::optional<NextMember> found_;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_RECOVERY_MEMBER_SEARCH_H_
