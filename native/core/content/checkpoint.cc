#include "core/content/checkpoint.h"

#include "core/deflate/registry.h"

namespace tfr {

std::shared_ptr<const Checkpoint> CheckpointMaker::Make(
    Compression compression, ContainerInflater* inflater) {
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->compression = compression;
  if (inflater->Save(&checkpoint->point, &state_) != SaveResult::kSaved) {
    return nullptr;
  }
  checkpoint->state_size = state_.size();
  if (state_.size() == 0) return checkpoint;
  checkpoint->portable = IsPortableState(state_.data(), state_.size());
  if (!deflater_) deflater_ = NewBlockDeflater(1);
  if (!deflater_ || !deflated_.Reserve(deflater_->Bound(state_.size()))) {
    return nullptr;
  }
  const size_t size = deflater_->Deflate(
      state_.data(), state_.size(), deflated_.data(), deflated_.capacity());
  if (size == 0 || !checkpoint->state.Assign(deflated_.data(), size)) {
    return nullptr;
  }
  return checkpoint;
}

RestoreResult InflateState(const Checkpoint& checkpoint, ByteBuffer* state) {
  state->Resize(0);
  if (checkpoint.point.between_members) return RestoreResult::kRestored;
  const auto inflate = NewBlockInflater();
  if (!inflate || !state->Reserve(checkpoint.state_size)) {
    return RestoreResult::kNoMemory;
  }
  state->Resize(checkpoint.state_size);
  if (!inflate->Inflate(checkpoint.state.data(), checkpoint.state.size(),
                        state->data(), state->size()) ||
      IsPortableState(state->data(), state->size()) != checkpoint.portable) {
    return RestoreResult::kInvalid;
  }
  return RestoreResult::kRestored;
}

RestoreResult Restore(const Checkpoint& checkpoint,
                      ContainerInflater* inflater) {
  ByteBuffer state;
  const RestoreResult result = InflateState(checkpoint, &state);
  if (result != RestoreResult::kRestored) return result;
  return inflater->Restore(checkpoint.point, state.data(), state.size())
             ? RestoreResult::kRestored
             : RestoreResult::kNoMemory;
}

}  // namespace tfr
