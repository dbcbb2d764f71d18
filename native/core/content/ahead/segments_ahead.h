#ifndef TFR_CORE_CONTENT_AHEAD_SEGMENTS_AHEAD_H_
#define TFR_CORE_CONTENT_AHEAD_SEGMENTS_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/compression/compression.h"
#include "core/content/ahead/ahead_tasks.h"
#include "core/content/checkpoint.h"
#include "core/io/byte_source.h"

namespace tfr {

/// Inflates the content between known checkpoints of a gzip or zlib file in
/// parallel: the requested segment and several after it, on the shared pool.
///
/// Checkpoints are trusted only where that changes nothing: a segment is used
/// if its input leads, with all headers and trailers on the way, to exactly the
/// next checkpoint: its position, its size, its checksum and its window. So a
/// chain of segments gives what inflating in order gives. A partial checkpoint
/// lacks the checksum: then those of the parts are combined, segment after
/// segment, up to the trailer of the member, which decides. The caller inflates
/// in order from the last checkpoint that `Next` has led to.
///
/// Used by one thread at a time, as `MembersAhead`.
class SegmentsAhead {
 public:
  /// Content of a segment: less is not worth a thread, more takes too much
  /// memory.
  static constexpr uint64_t kLeastContent = uint64_t{64} << 10;
  static constexpr uint64_t kMostContent = uint64_t{12} << 20;
  /// Content of all segments under way. The first one may have more.
  static constexpr uint64_t kMostAhead = uint64_t{48} << 20;

  /// The `Position` and `Remaining` of `source` must be known. `from`: where
  /// reading begins; null: at the beginning of a file of `compression`.
  SegmentsAhead(ByteSource* source,
                std::shared_ptr<const CheckpointSource> checkpoints,
                Compression compression, std::shared_ptr<const Checkpoint> from,
                uint64_t least_content = kLeastContent);
  ~SegmentsAhead();

  struct Segment {
    const uint8_t* content = nullptr;
    size_t content_size = 0;
    /// Size in the source.
    size_t size = 0;
    /// Its end, never partial.
    std::shared_ptr<const Checkpoint> end;
  };

  /// Returns the next whole segment. False: from here on, the caller must
  /// inflate in order. The segment stays valid until `Release`.
  bool Next(Segment* segment);
  void Release();

  /// The end of the last released segment; null if there was none.
  const std::shared_ptr<const Checkpoint>& reached() const { return reached_; }

 private:
  struct Task;

  bool Claim();
  bool Read(Task* task);
  bool Settle(Task* task) const;

  ByteSource* const source_;
  const std::shared_ptr<const CheckpointSource> checkpoints_;
  const Compression compression_;
  const uint64_t least_content_;
  AheadTasks queue_;
  /// Segments that were read; neighbours in the source.
  std::deque<std::shared_ptr<Task>> tasks_;
  std::vector<std::shared_ptr<Task>> spare_;
  /// End of these segments; null: the beginning.
  std::shared_ptr<const Checkpoint> end_;
  std::shared_ptr<const Checkpoint> reached_;
  bool ended_ = false;
  /// Content of the segments that were read.
  uint64_t held_ = 0;
  /// As `MembersAhead::reach_`.
  size_t reach_ = 1;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_AHEAD_SEGMENTS_AHEAD_H_
