#include "core/content/recovery/restart_trial.h"

#include "core/deflate/registry.h"

namespace tfr {
namespace {

/// Content that is held of each trial.
constexpr size_t kMostContent = size_t{4} << 20;
/// Hostile data may hold a header at every few bytes: no more is tried in vain.
constexpr uint64_t kMostInVain = uint64_t{256} << 20;

}  // namespace

/// Inflates to `content_`, up to the end of a member. `*used` grows by the
/// bytes of `data` that were used.
RestartTrial::Ending RestartTrial::Inflate(ContainerInflater* inflater,
                                           const uint8_t* data, size_t size,
                                           size_t* used) {
  for (;;) {
    Fault fault;
    const size_t before = content_.size();
    const ContainerInflater::Step step =
        inflater->Inflate(data + *used, size - *used, content_.data() + before,
                          kMostContent - before, &fault);
    *used += step.consumed;
    content_.Resize(before + step.produced);
    if (fault) return Ending::kFault;
    if (inflater->BetweenMembers()) return Ending::kMember;
    if (content_.size() == kMostContent) return Ending::kRoom;
    if (*used == size) return Ending::kInput;
  }
}

Evidence RestartTrial::TryMember(const uint8_t* data, size_t size, bool last) {
  if (in_vain_ > kMostInVain || !content_.Reserve(kMostContent)) {
    return Evidence::kNone;
  }
  content_.Resize(0);
  ContainerInflater inflater(Compression::kGzip, NewStreamInflater(), true);
  size_t used = 0;
  bool whole = false;
  for (;;) {
    const Ending ending = Inflate(&inflater, data, size, &used);
    if (ending == Ending::kMember) {
      // Nothing can be read of an empty member.
      if (content_.size() == 0) break;
      whole = true;
      if (used < size) continue;
    }
    const bool all = used == size && ending != Ending::kFault;
    if (all && (!last || ending == Ending::kMember)) return Evidence::kProven;
    if (whole || ending == Ending::kRoom || Holds()) return Evidence::kDoubtful;
    break;
  }
  in_vain_ += used + content_.size();
  return Evidence::kNone;
}

bool RestartTrial::TryCheckpoint(const Checkpoint& from, const uint8_t* data,
                                 size_t size) {
  if (!content_.Reserve(kMostContent)) return false;
  content_.Resize(0);
  ContainerInflater inflater(from.compression, NewStreamInflater(), true);
  if (Restore(from, &inflater) != RestoreResult::kRestored) return false;
  size_t used = 0;
  switch (Inflate(&inflater, data, size, &used)) {
    case Ending::kMember:
      // A trailer also confirms the content before the checkpoint, which may
      // be damaged: without a fault, it is right.
      return content_.size() > 0 || size > used;
    case Ending::kRoom:
      return true;
    case Ending::kInput:
      return size >= kTried || Holds();
    case Ending::kFault:
      break;
  }
  return Holds();
}

}  // namespace tfr
