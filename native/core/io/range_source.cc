#include "core/io/range_source.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace tfr {
namespace {

constexpr uint64_t kPageBytes = uint64_t{64} << 10;
/// Growth of the reach with each byte read in order.
constexpr uint64_t kGrowth = 4;
/// Limit on the ranges of `Want`. A caller looks at some 20 headers at most.
constexpr size_t kMostAsked = 32;

uint64_t Add(uint64_t a, uint64_t b) { return a + std::min(b, kUnknown - a); }

Fault Shortened(uint64_t expected, uint64_t found) {
  Fault fault = MakeFault(FaultCode::kTruncated, "data", expected, found);
  fault.detail = "the file became shorter while it was read";
  return fault;
}

}  // namespace

RangeSource::RangeSource(uint64_t size, uint64_t position, uint64_t most_ahead)
    : most_ahead_(std::max(most_ahead, kLeastAhead)),
      sized_(size != kUnknown),
      size_(size),
      position_(position) {}

bool RangeSource::Feed(uint64_t position, const uint8_t* data, size_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return true;
  try {
    for (const ByteRange& range : asked_) Take(range, position, data, size);
    Take({position_, most_ahead_ + 2 * kKeptBehind}, position, data, size);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Copies those of the fed bytes that lie in `part` and are not held.
void RangeSource::Take(const ByteRange& part, uint64_t position,
                       const uint8_t* data, size_t size) {
  const uint64_t end =
      std::min({Add(part.position, part.size), Add(position, size), End()});
  for (uint64_t at = std::max(part.position, position); at < end;) {
    const uint64_t held = HeldTo(at);
    if (held > at) {
      at = held;
      continue;
    }
    const uint64_t page = at / kPageBytes;
    const uint64_t to =
        std::min({end, NextHeld(at), Add(page * kPageBytes, kPageBytes)});
    std::unique_ptr<uint8_t[]>& memory = pages_[page];
    if (!memory) memory.reset(new uint8_t[kPageBytes]);
    std::memcpy(memory.get() + at % kPageBytes, data + (at - position),
                static_cast<size_t>(to - at));
    Hold(at, to);
    at = to;
  }
}

void RangeSource::EndAt(uint64_t position) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return;
  if (!sized_ && cut_ == kUnknown) {
    const uint64_t held = held_.empty() ? 0 : held_.rbegin()->second;
    size_ = std::min(size_, std::max({position, position_, held}));
  }
  if (position >= std::min(size_, cut_)) return;
  cut_ = position;
  DropFrom(position);
}

size_t RangeSource::Wants(ByteRange* ranges, size_t most) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return 0;
  size_t count = 0;
  for (const ByteRange& range : asked_) {
    count = AddGaps(range.position, Add(range.position, range.size), ranges,
                    count, most);
  }
  const uint64_t ahead = std::min(
      most_ahead_, kLeastAhead + kGrowth * std::min(run_, most_ahead_));
  // As far as `StepBack` moves over bytes that were read.
  const bool dry =
      dry_at_ >= position_ && dry_at_ - position_ <= kKeptBehind + kPageBytes;
  const uint64_t end =
      std::max(Add(position_, ahead), dry ? dry_at_ + kLeastAhead : 0);
  return AddGaps(position_, end, ranges, count, most);
}

/// Appends the parts of [begin, end) that are not held. Returns the new number
/// of ranges.
size_t RangeSource::AddGaps(uint64_t begin, uint64_t end, ByteRange* ranges,
                            size_t count, size_t most) const {
  end = std::min(end, End());
  for (uint64_t at = HeldTo(begin); at < end && count < most;) {
    const uint64_t to = std::min(end, NextHeld(at));
    ranges[count++] = {at, to - at};
    at = HeldTo(to);
  }
  return count;
}

ReadState RangeSource::Read(uint8_t* dst, size_t size, size_t* got,
                            Fault* fault) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return ReadState::kEnd;
  if (position_ >= cut_) {
    *fault = Shortened(size_, cut_);
    return ReadState::kFault;
  }
  if (position_ >= size_) return ReadState::kEnd;
  const uint64_t held = HeldTo(position_) - position_;
  if (held == 0) {
    dry_at_ = position_;
    return ReadState::kDry;
  }
  *got = static_cast<size_t>(std::min<uint64_t>(size, held));
  Copy(position_, dst, *got);
  run_ = Add(run_, *got);
  Move(position_ + *got);
  return ReadState::kBytes;
}

ReadState RangeSource::ReadAt(uint64_t position, uint8_t* dst, size_t size,
                              size_t* got, Fault* fault) const {
  std::lock_guard<std::mutex> lock(mutex_);
  *got = 0;
  const uint64_t end = std::max(position, std::min(End(), Add(position, size)));
  if (HeldTo(position) < end) return ReadState::kDry;
  *got = static_cast<size_t>(end - position);
  Copy(position, dst, *got);
  if (*got == size) return ReadState::kBytes;
  *fault = Shortened(size, *got);
  return ReadState::kFault;
}

bool RangeSource::StepBack(uint64_t count) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (count > position_ - std::min(position_, dropped_to_)) return false;
  position_ -= count;
  run_ -= std::min(run_, count);
  return true;
}

uint64_t RangeSource::StepOver(uint64_t count) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (size_ == kUnknown || position_ >= size_) return 0;
  const uint64_t step = std::min(count, size_ - position_);
  run_ = HeldTo(position_) - position_ < step ? 0 : Add(run_, step);
  Move(position_ + step);
  return step;
}

uint64_t RangeSource::Remaining() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (size_ == kUnknown) return kUnknown;
  return size_ - std::min(size_, position_);
}

uint64_t RangeSource::TotalBytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return size_;
}

uint64_t RangeSource::Position() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return position_;
}

void RangeSource::Want(uint64_t position, size_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const ByteRange& range : asked_) {
    if (range.position == position && range.size == size) return;
  }
  if (asked_.size() < kMostAsked) asked_.push_back({position, size});
}

void RangeSource::Close() {
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  pages_.clear();
  held_.clear();
  asked_.clear();
}

/// Offset after the last byte that can be read.
uint64_t RangeSource::End() const { return std::min(size_, cut_); }

/// End of the held bytes that begin at `position`: `position`, if it is not
/// held.
uint64_t RangeSource::HeldTo(uint64_t position) const {
  const auto after = held_.upper_bound(position);
  if (after == held_.begin()) return position;
  return std::max(position, std::prev(after)->second);
}

/// Offset of the first held byte after `position`, which is not held.
uint64_t RangeSource::NextHeld(uint64_t position) const {
  const auto after = held_.upper_bound(position);
  return after == held_.end() ? kUnknown : after->first;
}

/// Notes that the bytes are held, none of which was.
void RangeSource::Hold(uint64_t begin, uint64_t end) {
  const auto after = held_.upper_bound(begin);
  const bool joins =
      after != held_.begin() && std::prev(after)->second == begin;
  const auto run =
      joins ? std::prev(after) : held_.emplace_hint(after, begin, end);
  run->second = end;
  if (after == held_.end() || after->first != end) return;
  run->second = after->second;
  held_.erase(after);
}

/// Copies held bytes.
void RangeSource::Copy(uint64_t position, uint8_t* dst, size_t size) const {
  for (size_t done = 0; done < size;) {
    const uint64_t at = position + done;
    const auto from = static_cast<size_t>(at % kPageBytes);
    const size_t n =
        std::min(size - done, static_cast<size_t>(kPageBytes) - from);
    std::memcpy(dst + done, pages_.at(at / kPageBytes).get() + from, n);
    done += n;
  }
}

/// Moves the position ahead, and drops what lies too far before it.
void RangeSource::Move(uint64_t position) {
  position_ = position;
  const uint64_t page =
      (position - std::min(position, kKeptBehind)) / kPageBytes;
  if (pages_.empty() || pages_.begin()->first >= page) return;
  pages_.erase(pages_.begin(), pages_.lower_bound(page));
  const uint64_t from = page * kPageBytes;
  while (!held_.empty() && held_.begin()->first < from) {
    auto run = held_.extract(held_.begin());
    dropped_to_ = std::min(run.mapped(), from);
    if (run.mapped() <= from) continue;
    run.key() = from;
    held_.insert(std::move(run));
  }
}

/// Drops the bytes from `position` on.
void RangeSource::DropFrom(uint64_t position) {
  held_.erase(held_.lower_bound(position), held_.end());
  if (!held_.empty()) {
    uint64_t& end = held_.rbegin()->second;
    end = std::min(end, position);
  }
  const uint64_t pages = position / kPageBytes + (position % kPageBytes > 0);
  pages_.erase(pages_.lower_bound(pages), pages_.end());
}

}  // namespace tfr
