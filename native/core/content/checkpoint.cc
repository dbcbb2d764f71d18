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
  if (state_.size() == 0) return checkpoint;
  checkpoint->portable = IsPortableState(state_.data(), state_.size());
  if (!DeflateState(state_.data(), state_.size(), checkpoint.get())) {
    return nullptr;
  }
  return checkpoint;
}

std::shared_ptr<const Checkpoint> CheckpointMaker::MakePartial(
    uint64_t consumed, uint64_t produced, const uint8_t* state, size_t size) {
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->compression = Compression::kGzip;
  ContainerInflater::Point& point = checkpoint->point;
  point.consumed = point.member_start = consumed;
  point.produced = point.proven = produced;
  point.between_members = size == 0;
  checkpoint->partial = size > 0;
  if (size > 0 && (!IsPortableState(state, size) ||
                   !DeflateState(state, size, checkpoint.get()))) {
    return nullptr;
  }
  return checkpoint;
}

bool CheckpointMaker::DeflateState(const uint8_t* state, size_t size,
                                   Checkpoint* checkpoint) {
  checkpoint->state_size = size;
  if (!deflater_) deflater_ = NewBlockDeflater(1);
  if (!deflater_ || !deflated_.Reserve(deflater_->Bound(size))) return false;
  const size_t deflated =
      deflater_->Deflate(state, size, deflated_.data(), deflated_.capacity());
  return deflated > 0 && checkpoint->state.Assign(deflated_.data(), deflated);
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
