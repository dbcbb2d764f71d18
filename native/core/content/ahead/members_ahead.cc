#include "core/content/ahead/members_ahead.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/buffers.h"
#include "core/base/endian.h"
#include "core/compression/gzip_member.h"
#include "core/deflate/registry.h"

namespace tfr {
namespace {

constexpr size_t kHeaderBytes = kGzipMemberHeaderSize + kMaxGzipMemberPadding;
/// The highest compression ratio of deflate.
constexpr uint64_t kMostOfOneByte = 1032;
/// After a short member, this many bytes are inflated in order without
/// examining them: their members are probably short, too.
constexpr uint64_t kShortMembers = uint64_t{256} << 10;
/// Members differ slightly in size; rounding up lets the next one reuse the
/// memory.
constexpr size_t kGranule = size_t{128} << 10;

bool ReserveFor(size_t size, ByteBuffer* buffer) {
  return buffer->Reserve((size + kGranule - 1) / kGranule * kGranule);
}

}  // namespace

struct MembersAhead::Task final : AheadTasks::Task {
  /// Also returns false when memory runs out: the caller then inflates in order
  /// and finds the reason.
  bool Inflate() override {
    try {
      if (!inflater) inflater = NewBlockInflater();
      if (!inflater || !ReserveFor(content_size, &content)) return false;
      return InflateGzipMember(inflater.get(), raw.data(), raw.size(), info,
                               content.data(), content_size);
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  ByteBuffer raw;
  ByteBuffer content;
  size_t content_size = 0;
  GzipMemberInfo info;
  std::unique_ptr<BlockInflater> inflater;
};

MembersAhead::MembersAhead(ByteSource* source, const AheadLimits& limits)
    : source_(source), limits_(limits) {
  spare_.reserve(AheadTasks::kMost + 1);
}

MembersAhead::~MembersAhead() = default;

bool MembersAhead::Next(uint64_t position, Member* member) {
  if (tasks_.empty()) end_ = position;
  const size_t known = tasks_.size();
  try {
    while (tasks_.size() < reach_ && Claim()) {
    }
  } catch (const std::bad_alloc&) {
    // Inflating in order needs no memory for whole members.
    GiveUp();
    return false;
  }
  reach_ = AheadTasks::reach();
  if (tasks_.empty()) return false;
  // This thread may run the first task itself; the others need helpers.
  for (size_t i = std::max<size_t>(known, 1); i < tasks_.size(); ++i) {
    queue_.CallHelper();
  }
  Task* const task = tasks_.front().get();
  if (!queue_.Finish(task)) {
    GiveUp();
    return false;
  }
  *member = {task->content.data(), task->content_size, task->raw.size(),
             task->info.records};
  return true;
}

/// From now on, all members are inflated in order.
void MembersAhead::GiveUp() {
  in_order_until_ = kUnknown;
  queue_.DropQueued();
  tasks_.clear();
  spare_.clear();
}

void MembersAhead::Release() {
  spare_.push_back(std::move(tasks_.front()));
  tasks_.pop_front();
  if (tasks_.empty()) spare_.clear();
}

/// Reads one more member and queues it.
bool MembersAhead::Claim() {
  if (end_ < in_order_until_) return false;
  std::shared_ptr<Task> task;
  if (spare_.empty()) {
    task = std::make_shared<Task>();
  } else {
    task = std::move(spare_.back());
    spare_.pop_back();
  }
  bool dry = false;
  if (!Read(end_, task.get(), &dry)) {
    if (dry) spare_.push_back(std::move(task));
    return false;
  }
  end_ += task->raw.size();
  tasks_.push_back(task);
  queue_.Queue(std::move(task));
  return true;
}

/// Returns false if the member at `position` is not ours or not suitable;
/// `in_order_until_` is then the position at which to look again. That is the
/// same one if the source has run dry.
bool MembersAhead::Read(uint64_t position, Task* task, bool* dry) {
  in_order_until_ = kUnknown;
  const uint64_t remaining = source_->Remaining();
  if (remaining == kUnknown) return false;
  const uint64_t total = source_->Position() + remaining;
  if (position >= total) return false;
  uint8_t header[kHeaderBytes];
  size_t got = 0;
  Fault ignored;
  // A short read is a fault, but may still hold the header.
  const ReadState state = source_->ReadAt(
      position, header,
      static_cast<size_t>(std::min<uint64_t>(kHeaderBytes, total - position)),
      &got, &ignored);
  *dry = state == ReadState::kDry;
  if (*dry) {
    in_order_until_ = 0;
    return false;
  }
  if (!ReadGzipMemberInfo(header, got, &task->info)) return false;
  const uint64_t size = task->info.member_size;
  if (size > total - position) return false;
  in_order_until_ = position + 1;
  if (size > limits_.most_content) return false;
  if (!ReserveFor(static_cast<size_t>(size), &task->raw)) return false;
  const ReadState read = source_->ReadAt(
      position, task->raw.data(), static_cast<size_t>(size), &got, &ignored);
  *dry = read == ReadState::kDry;
  if (*dry) in_order_until_ = 0;
  if (read != ReadState::kBytes) return false;
  task->raw.Resize(static_cast<size_t>(size));
  const uint64_t content = LoadLE32(task->raw.data() + size - 4);
  if (content == 0 || content > limits_.most_content ||
      content > kMostOfOneByte * size) {
    return false;
  }
  if (content < limits_.least_content) {
    in_order_until_ = position + kShortMembers;
    return false;
  }
  in_order_until_ = 0;
  task->content_size = static_cast<size_t>(content);
  return true;
}

}  // namespace tfr
