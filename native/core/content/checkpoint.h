#ifndef TFR_CORE_CONTENT_CHECKPOINT_H_
#define TFR_CORE_CONTENT_CHECKPOINT_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/buffers.h"
#include "core/compression/compression.h"
#include "core/compression/container_inflater.h"
#include "core/deflate/roles.h"

namespace tfr {

/// A point in compressed content from which reading can continue without the
/// bytes before it. It includes the checksum of the member up to there, so the
/// member's trailer is checked as usual.
struct Checkpoint {
  Compression compression = Compression::kNone;
  /// `point.produced` is the offset in the content, `point.consumed` that in
  /// the source.
  ContainerInflater::Point point;
  /// The inflater's state, deflated; empty between members.
  ByteBuffer state;
  size_t state_size = 0;
  /// The checksum, the start of the member and the content before it are
  /// unknown: `point` has 0, `consumed` and `produced` in their places. Only
  /// `SegmentsAhead` can begin there.
  bool partial = false;
  /// Any inflater can continue from it, in another process, too.
  bool portable = true;

  size_t held_bytes() const { return sizeof *this + state.capacity(); }
};

/// Chooses and receives the checkpoints of a stream that is read.
class CheckpointSink {
 public:
  /// True if a checkpoint at `offset` of the content is of use. `cheap`: it
  /// would be between members, without a state.
  virtual bool Wants(uint64_t offset, bool cheap) = 0;
  virtual void Add(std::shared_ptr<const Checkpoint> checkpoint) = 0;

 protected:
  ~CheckpointSink() = default;
};

/// Knows checkpoints of a file. Any thread may ask.
class CheckpointSource {
 public:
  /// The first checkpoint at `offset` of the content or after it, from which
  /// any inflater can continue; null if none is known.
  virtual std::shared_ptr<const Checkpoint> CheckpointFrom(
      uint64_t offset) const = 0;

  /// The last checkpoint at `offset` of the content or before it; null if none
  /// is known.
  virtual std::shared_ptr<const Checkpoint> CheckpointUpTo(
      uint64_t /*offset*/) const {
    return nullptr;
  }
  /// The number of the record that begins at `offset` of the content;
  /// `kUnknown` if none does, or nothing says so.
  virtual uint64_t RecordAt(uint64_t /*offset*/) const { return kUnknown; }

 protected:
  ~CheckpointSource() = default;
};

/// Makes checkpoints of one inflater.
class CheckpointMaker {
 public:
  /// Returns null if there can be none here, or when memory runs out; see
  /// `ContainerInflater::Save`.
  std::shared_ptr<const Checkpoint> Make(Compression compression,
                                         ContainerInflater* inflater);

  /// Returns a partial checkpoint of a gzip file, or one between members if
  /// there is no state: at `consumed` of the file and `produced` of the
  /// content. Null when memory runs out, or if the state is not portable.
  std::shared_ptr<const Checkpoint> MakePartial(uint64_t consumed,
                                                uint64_t produced,
                                                const uint8_t* state,
                                                size_t size);

 private:
  bool DeflateState(const uint8_t* state, size_t size, Checkpoint* checkpoint);

  std::unique_ptr<BlockDeflater> deflater_;
  ByteBuffer state_;
  ByteBuffer deflated_;
};

enum class RestoreResult : uint8_t {
  kRestored,
  /// The checkpoint comes from an index that was changed on purpose.
  kInvalid,
  kNoMemory,
};

/// Inflates the state of `checkpoint`; to nothing between members.
RestoreResult InflateState(const Checkpoint& checkpoint, ByteBuffer* state);

/// Sets a new inflater to `checkpoint`.
RestoreResult Restore(const Checkpoint& checkpoint,
                      ContainerInflater* inflater);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_CHECKPOINT_H_
