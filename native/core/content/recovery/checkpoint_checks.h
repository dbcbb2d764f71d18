#ifndef TFR_CORE_CONTENT_RECOVERY_CHECKPOINT_CHECKS_H_
#define TFR_CORE_CONTENT_RECOVERY_CHECKPOINT_CHECKS_H_

#include <cstdint>
#include <memory>

#include "core/base/fault.h"
#include "core/compression/container_inflater.h"
#include "core/content/checkpoint.h"
#include "core/content/recovery/restart_trial.h"
#include "core/io/byte_source.h"

namespace tfr {

/// The known checkpoints of one compressed source, for a reader that salvages:
/// they show how far inflating went right, and where content continues after
/// damage. A source without random access has none.
class CheckpointChecks {
 public:
  /// All arguments must live as long as this object.
  CheckpointChecks(ByteSource* source, const CheckpointSource* known,
                   Compression compression, RestartTrial* trial)
      : source_(source),
        known_(known),
        compression_(compression),
        trial_(trial) {}

  /// The first checkpoint at or after `offset` of the content whose checksum
  /// shows whether inflating went right; null if there is none.
  std::shared_ptr<const Checkpoint> From(uint64_t offset) const;

  /// Makes `From(offset)` the next checkpoint that `Compare` uses. `kUnknown`:
  /// there is none.
  void Expect(uint64_t offset) {
    expected_ = offset == kUnknown ? nullptr : From(offset);
  }
  /// Bytes of content from `produced` on up to that checkpoint, at which the
  /// reader must stop to compare; `kUnknown` without one.
  uint64_t Left(uint64_t produced) const {
    return expected_ ? expected_->point.produced - produced : kUnknown;
  }
  /// Offset of that checkpoint in the source; `kUnknown` without one.
  uint64_t position() const {
    return expected_ ? expected_->point.consumed : kUnknown;
  }
  /// If `inflater` has reached the expected checkpoint: compares it with that,
  /// and expects the next one. Returns false if inflating has led elsewhere.
  bool Compare(const ContainerInflater& inflater);
  /// Inflating led to exactly `end`.
  void Match(const Checkpoint& end);
  /// End of the content that is known to be right by these checkpoints.
  uint64_t matched() const { return matched_; }

  /// True if content continues from `checkpoint`.
  bool Leads(const Checkpoint& checkpoint);
  /// The next checkpoint after position `position` of the source and offset
  /// `offset` of the content from which content continues; null if there is
  /// none. Tries no checkpoint twice.
  std::shared_ptr<const Checkpoint> AfterDamage(uint64_t position,
                                                uint64_t offset);

 private:
  bool usable() const { return IsSeekable(source_) && !source_->MayRunDry(); }

  ByteSource* const source_;
  const CheckpointSource* const known_;
  const Compression compression_;
  RestartTrial* const trial_;
  std::shared_ptr<const Checkpoint> expected_;
  uint64_t matched_ = 0;
  /// All checkpoints before this offset of the content were tried.
  uint64_t tried_until_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_RECOVERY_CHECKPOINT_CHECKS_H_
