#include "core/content/ahead/segments_ahead.h"

#include <utility>

// One thread inflates in order, with nothing ahead.
namespace tfr {

struct SegmentsAhead::Task {};

SegmentsAhead::SegmentsAhead(
    ByteSource* source, std::shared_ptr<const CheckpointSource> checkpoints,
    Compression compression, std::shared_ptr<const Checkpoint> from,
    uint64_t least_content)
    : source_(source),
      checkpoints_(std::move(checkpoints)),
      compression_(compression),
      least_content_(least_content),
      end_(std::move(from)) {}

SegmentsAhead::~SegmentsAhead() = default;

bool SegmentsAhead::Next(Segment* /*segment*/) { return false; }

void SegmentsAhead::Release() {}

}  // namespace tfr
