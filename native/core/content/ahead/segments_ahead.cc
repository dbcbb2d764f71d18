#include "core/content/ahead/segments_ahead.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/compression/checksum.h"
#include "core/compression/container_inflater.h"
#include "core/deflate/registry.h"

namespace tfr {
namespace {

/// Segments differ in size; rounding up lets the next one reuse the memory.
constexpr uint64_t kGranule = uint64_t{256} << 10;
/// Compressed bytes of a segment: stored blocks have little more than their
/// content, and empty members could have any number.
constexpr uint64_t kMostOverhead = uint64_t{64} << 10;
/// Input in which an inflater looks for the end of a segment.
constexpr size_t kTail = 1024;

bool ReserveFor(uint64_t size, ByteBuffer* buffer) {
  const uint64_t rounded = (size + kGranule - 1) / kGranule * kGranule;
  return buffer->Reserve(static_cast<size_t>(rounded));
}

uint64_t ConsumedAt(const std::shared_ptr<const Checkpoint>& checkpoint) {
  return checkpoint ? checkpoint->point.consumed : 0;
}

uint64_t ProducedAt(const std::shared_ptr<const Checkpoint>& checkpoint) {
  return checkpoint ? checkpoint->point.produced : 0;
}

}  // namespace

struct SegmentsAhead::Task final : AheadTasks::Task {
  bool Inflate() override {
    try {
      return InflateRight();
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  bool InflateRight() {
    const auto size = static_cast<size_t>(ProducedAt(end) - ProducedAt(from));
    // Room for a byte more shows output that should not be there.
    room_ = size + 1;
    consumed_ = produced_ = 0;
    if (!ReserveFor(room_, &content)) return false;
    if (!inflater_ || !from) {
      inflater_ = std::make_unique<ContainerInflater>(end->compression,
                                                      NewStreamInflater());
    }
    if (from && Restore(*from, inflater_.get()) != RestoreResult::kRestored) {
      return false;
    }
    if (from && from->partial) inflater_->NotePartTrailer();
    // The last input leads to a place where the state can be saved. Finding it
    // slows an inflater down, so it does not look for it before.
    const size_t tail = raw.size() - std::min(raw.size(), kTail);
    if (!Feed(tail) || produced_ > size) return false;
    ByteBuffer state;
    // From the first call on, it stops where it can be saved.
    SaveResult saved = inflater_->Save(&reached, &state);
    while (saved != SaveResult::kSaved || produced_ < size) {
      const size_t before = consumed_ + produced_;
      if (!Step(raw.size()) || produced_ > size) return false;
      saved = produced_ == size ? inflater_->Save(&reached, &state)
                                : SaveResult::kLater;
      if (saved != SaveResult::kSaved && consumed_ + produced_ == before) {
        return false;
      }
    }
    content_size = size;
    trailer = inflater_->part_trailer();
    return IsEnd(state);
  }

  /// Inflates the input up to `until`, as far as there is room.
  bool Feed(size_t until) {
    size_t before;
    do {
      before = consumed_ + produced_;
      if (!Step(until)) return false;
    } while (consumed_ + produced_ > before);
    return consumed_ == until;
  }

  /// Returns false at a fault.
  bool Step(size_t until) {
    Fault fault;
    const ContainerInflater::Step step = inflater_->Inflate(
        raw.data() + consumed_, until - consumed_, content.data() + produced_,
        room_ - produced_, &fault);
    consumed_ += step.consumed;
    produced_ += step.produced;
    return !fault;
  }

  /// True if the place reached, and `state`, are those of the checkpoint at the
  /// end. `Settle` looks at the rest of the point.
  bool IsEnd(const ByteBuffer& state) const {
    const ContainerInflater::Point& other = end->point;
    if (reached.consumed != other.consumed ||
        reached.produced != other.produced ||
        reached.between_members != other.between_members) {
      return false;
    }
    if (reached.between_members) return true;
    ByteBuffer wanted;
    return InflateState(*end, &wanted) == RestoreResult::kRestored &&
           wanted.size() == state.size() &&
           std::memcmp(wanted.data(), state.data(), state.size()) == 0;
  }

  ByteBuffer raw;
  ByteBuffer content;
  size_t content_size = 0;
  /// Null: the beginning of the file.
  std::shared_ptr<const Checkpoint> from;
  std::shared_ptr<const Checkpoint> end;
  /// The place that inflating led to, and the trailer of the member of `from`,
  /// if that is partial.
  ContainerInflater::Point reached;
  ContainerInflater::PartTrailer trailer;

 private:
  std::unique_ptr<ContainerInflater> inflater_;
  size_t room_ = 0;
  size_t consumed_ = 0;
  size_t produced_ = 0;
};

SegmentsAhead::SegmentsAhead(
    ByteSource* source, std::shared_ptr<const CheckpointSource> checkpoints,
    Compression compression, std::shared_ptr<const Checkpoint> from,
    uint64_t least_content)
    : source_(source),
      checkpoints_(std::move(checkpoints)),
      compression_(compression),
      least_content_(least_content),
      end_(std::move(from)) {
  spare_.reserve(AheadTasks::kMost + 1);
}

SegmentsAhead::~SegmentsAhead() = default;

bool SegmentsAhead::Next(Segment* segment) {
  const size_t known = tasks_.size();
  try {
    while (!ended_ && tasks_.size() < reach_ && Claim()) {
    }
  } catch (const std::bad_alloc&) {
    // Inflating in order needs no memory for whole segments.
    ended_ = true;
  }
  reach_ = AheadTasks::reach();
  if (tasks_.empty()) return false;
  // This thread may do the first task itself; the others need helpers.
  for (size_t i = std::max<size_t>(known, 1); i < tasks_.size(); ++i) {
    queue_.CallHelper();
  }
  Task* const task = tasks_.front().get();
  if (!queue_.Finish(task) || !Settle(task)) {
    ended_ = true;
    queue_.DropQueued();
    tasks_.clear();
    spare_.clear();
    return false;
  }
  *segment = {task->content.data(), task->content_size, task->raw.size(),
              task->end};
  return true;
}

/// The segments before `task` were right: completes its end by what they say.
/// Returns false if a trailer, or a checkpoint that is not partial, differs.
bool SegmentsAhead::Settle(Task* task) const {
  ContainerInflater::Point point = task->reached;
  if (task->from && task->from->partial) {
    // There is one: no chain of segments begins at a partial checkpoint.
    const ContainerInflater::Point& begin = reached_->point;
    const uint64_t size = begin.produced - begin.proven;
    const ContainerInflater::PartTrailer& trailer = task->trailer;
    if (trailer.found) {
      if (CombineCrc32(begin.checksum, trailer.checksum, trailer.size) !=
              trailer.whole_checksum ||
          static_cast<uint32_t>(size + trailer.size) != trailer.whole_size) {
        return false;
      }
    } else {
      point.checksum = CombineCrc32(begin.checksum, point.checksum,
                                    point.produced - begin.produced);
      point.proven = begin.proven;
      point.member_start = begin.member_start;
    }
  }
  const ContainerInflater::Point& end = task->end->point;
  if (task->end->partial) {
    try {
      auto whole = std::make_shared<Checkpoint>();
      whole->compression = task->end->compression;
      whole->point = point;
      whole->state_size = task->end->state_size;
      const ByteBuffer& state = task->end->state;
      if (!whole->state.Assign(state.data(), state.size())) return false;
      task->end = std::move(whole);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }
  return point.proven == end.proven && point.member_start == end.member_start &&
         (point.between_members || point.checksum == end.checksum);
}

void SegmentsAhead::Release() {
  reached_ = tasks_.front()->end;
  held_ -= tasks_.front()->content_size;
  spare_.push_back(std::move(tasks_.front()));
  tasks_.pop_front();
}

/// Reads one more segment and queues it. Returns false if there is none now.
bool SegmentsAhead::Claim() {
  const auto end =
      checkpoints_->CheckpointFrom(ProducedAt(end_) + least_content_);
  const uint64_t content = end ? end->point.produced - ProducedAt(end_) : 0;
  if (!tasks_.empty() && held_ + content > kMostAhead) return false;
  std::shared_ptr<Task> task;
  if (spare_.empty()) {
    task = std::make_shared<Task>();
  } else {
    task = std::move(spare_.back());
    spare_.pop_back();
  }
  task->from = end_;
  task->end = end;
  ended_ = !task->end || !Read(task.get());
  if (ended_) return false;
  end_ = end;
  held_ += content;
  tasks_.push_back(task);
  queue_.Queue(std::move(task));
  return true;
}

bool SegmentsAhead::Read(Task* task) {
  const Checkpoint& end = *task->end;
  const uint64_t begin = ConsumedAt(task->from);
  const uint64_t content = end.point.produced - ProducedAt(task->from);
  if (end.compression != compression_ || end.point.consumed <= begin ||
      content > kMostContent) {
    return false;
  }
  const uint64_t size = end.point.consumed - begin;
  const uint64_t remaining = source_->Remaining();
  if (size > content + kMostOverhead || remaining == kUnknown ||
      end.point.consumed > source_->Position() + remaining ||
      !ReserveFor(size, &task->raw)) {
    return false;
  }
  size_t got = 0;
  Fault ignored;
  // A source that has run dry has the rest of this file read in order.
  if (source_->ReadAt(begin, task->raw.data(), static_cast<size_t>(size), &got,
                      &ignored) != ReadState::kBytes) {
    return false;
  }
  task->raw.Resize(static_cast<size_t>(size));
  return true;
}

}  // namespace tfr
