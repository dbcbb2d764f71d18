#include "core/content/recovery/checkpoint_checks.h"

#include <algorithm>
#include <cstddef>

#include "core/base/buffers.h"

namespace tfr {

std::shared_ptr<const Checkpoint> CheckpointChecks::From(
    uint64_t offset) const {
  if (!usable()) return nullptr;
  for (;;) {
    auto checkpoint = known_->CheckpointFrom(offset);
    if (!checkpoint ||
        (!checkpoint->point.between_members && !checkpoint->partial)) {
      return checkpoint;
    }
    offset = checkpoint->point.produced + 1;
  }
}

bool CheckpointChecks::Compare(const ContainerInflater& inflater) {
  const uint64_t produced = inflater.produced();
  if (!expected_ || produced < expected_->point.produced) return true;
  const bool right = inflater.IsAt(expected_->point);
  const bool wrong = !right && produced == expected_->point.produced;
  if (right) matched_ = produced;
  Expect(produced + 1);
  return !wrong;
}

void CheckpointChecks::Match(const Checkpoint& end) {
  // Points of foreign indexes prove nothing before the end of their member.
  if (!end.partial && !end.point.between_members) matched_ = end.point.produced;
}

bool CheckpointChecks::Leads(const Checkpoint& checkpoint) {
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

std::shared_ptr<const Checkpoint> CheckpointChecks::AfterDamage(
    uint64_t position, uint64_t offset) {
  if (!usable()) return nullptr;
  uint64_t from = std::max(offset + 1, tried_until_);
  for (;;) {
    auto checkpoint = known_->CheckpointFrom(from);
    tried_until_ = checkpoint ? checkpoint->point.produced : kUnknown;
    if (!checkpoint ||
        (!checkpoint->partial && checkpoint->point.consumed > position &&
         Leads(*checkpoint))) {
      return checkpoint;
    }
    from = tried_until_ + 1;
  }
}

}  // namespace tfr
