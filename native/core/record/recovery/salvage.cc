#include "core/record/recovery/salvage.h"

#include <algorithm>
#include <cstring>

#include "core/crc32c/record_format.h"
#include "core/record/recovery/frame_search.h"

namespace tfr {
namespace {

/// Lengths in damaged headers are believed as long as the bytes that were read
/// for wrong ones are at most this many times those before; short ones always.
constexpr uint64_t kMissedShare = 4;
constexpr uint64_t kNear = uint64_t{64} << 10;

enum class Place : uint8_t { kRight, kWrong, kUndecided };

/// Judges the bytes from `at` on, a place that may lie beyond those that are
/// there: right if a header begins there, or the content ends.
Place JudgePlace(const ByteBuffer& held, uint64_t at, bool ended) {
  if (held.size() < at || held.size() - at < kHeaderSize) {
    if (!ended) return Place::kUndecided;
    return held.size() == at ? Place::kRight : Place::kWrong;
  }
  return LengthIsRight(held.data() + at) ? Place::kRight : Place::kWrong;
}

}  // namespace

void Salvage::Begin(const Fault& fault, const StreamPlace& next,
                    uint64_t need) {
  fault_ = fault;
  fault_.record = next.record;
  if (fault_.offset == kUnknown) fault_.offset = next.offset;
  start_ = next;
  active_ = true;
  torn_ = doubtful_ = false;
  located_ = true;
  checks_.Clear();
  offset_ = next.offset;
  over_ = 0;
  size_count_ = tried_ = index_ = 0;
  const bool too_large = fault.code == FaultCode::kRecordTooLarge;
  const bool wrong_data = fault.code == FaultCode::kCorruptData;
  const bool right_header =
      wrong_data || (fault.code == FaultCode::kTruncated && need > 0);
  hinted_ = too_large || wrong_data || fault.code == FaultCode::kTruncated;
  reach_ = right_header ? next.offset + need : kUnknown;
  doubt_ = next.offset + (wrong_data ? need : 0);
  phase_ = too_large ? Phase::kOver : Phase::kLengths;
  if (too_large) over_ = need;
  if (wrong_data) sizes_[size_count_++] = need;
  if (!hinted_) doubt_ += kHeaderSize;
}

void Salvage::BeginTorn(const Fault& fault, const StreamPlace& start,
                        uint64_t offset, bool located, bool doubtful) {
  fault_ = fault;
  start_ = start;
  active_ = torn_ = true;
  located_ = located;
  doubtful_ = doubtful;
  checks_.Clear();
  offset_ = searched_from_ = offset;
  lost_before_ = fault.lost;
  reach_ = kUnknown;
  phase_ = Phase::kSearch;
  index_ = 0;
}

uint64_t Salvage::LostWith(size_t held) const {
  return torn_ && !located_ ? lost_before_ + (offset_ + held - searched_from_)
                            : offset_ + held - start_.offset;
}

void Salvage::Number(uint64_t record) {
  if (record < start_.record) return;
  fault_.resume_record = record;
  run_ = Run();
}

Salvage::Answer Salvage::Look(ByteBuffer* held, bool ended) {
  Answer answer = Answer::kMore;
  if (phase_ == Phase::kOver) {
    answer = PassOver(held, ended);
  } else if (phase_ == Phase::kLengths) {
    answer = Hint(*held, ended) ? TryLengths(held, ended) : Answer::kMore;
  }
  if (phase_ == Phase::kSearch) answer = Search(held, ended);
  active_ = answer == Answer::kMore;
  if (answer == Answer::kFound && ended && held->size() == 0) {
    // Nothing follows with which reading could go on.
    fault_.doubtful += AtEnd({offset_, start_.record});
    fault_.resumes = false;
    fault_.resume_record = kUnknown;
    return Answer::kNone;
  }
  if (answer != Answer::kNone) return answer;
  Drop(held, held->size());
  Settle(false);
  fault_.doubtful += BreakOff(start_);
  return answer;
}

/// Notes the lengths that a damaged header may have had. Returns false if the
/// header is not there yet.
bool Salvage::Hint(const ByteBuffer& held, bool ended) {
  if (hinted_) return true;
  if (held.size() < kHeaderSize) return ended;
  hinted_ = true;
  const uint8_t* const header = held.data();
  const uint64_t lengths[] = {LoadLE64(header),
                              LengthOfCrc(LoadLE32(header + kLengthSize))};
  for (const uint64_t length : lengths) {
    const bool near =
        length <= kNear || missed_ <= kMostHeld + kMissedShare * start_.offset;
    if (near && length <= std::min(most_, kMostHeld)) {
      sizes_[size_count_++] = length + kFramingSize;
    }
  }
  return true;
}

/// Passes over a record that is too large, and has a right header.
Salvage::Answer Salvage::PassOver(ByteBuffer* held, bool ended) {
  const auto passed =
      static_cast<size_t>(std::min<uint64_t>(held->size(), over_));
  Drop(held, passed);
  over_ -= passed;
  if (over_ > 0) return ended ? Answer::kNone : Answer::kMore;
  switch (JudgePlace(*held, 0, ended)) {
    case Place::kUndecided:
      return Answer::kMore;
    case Place::kRight:
      Found(held, 0, true);
      return Answer::kFound;
    case Place::kWrong:
      break;
  }
  phase_ = Phase::kSearch;
  return Answer::kMore;
}

Salvage::Answer Salvage::TryLengths(ByteBuffer* held, bool ended) {
  for (; tried_ < size_count_; ++tried_) {
    const uint64_t size = sizes_[tried_];
    const Place place = JudgePlace(*held, size, ended);
    if (place == Place::kUndecided) return Answer::kMore;
    if (place == Place::kWrong) {
      missed_ += size;
      continue;
    }
    // Bytes that were cut out of a damaged header may bring a record into it.
    const size_t begin = reach_ != kUnknown ? kHeaderSize : 1;
    const InnerRecords inner = FindInner(
        held->data(), static_cast<size_t>(size), begin, most_, &checks_);
    fault_.inside = inner.others;
    Found(held, inner.chain, true);
    return Answer::kFound;
  }
  phase_ = Phase::kSearch;
  index_ = 1;
  return Answer::kMore;
}

Salvage::Answer Salvage::Search(ByteBuffer* held, bool ended) {
  for (;;) {
    index_ = FindHeader(held->data(), held->size(), index_, most_);
    const size_t left = held->size() - std::min(index_, held->size());
    if (left < kHeaderSize) {
      if (ended) return Answer::kNone;
      const size_t passed = held->size() - left;
      Drop(held, passed);
      index_ -= passed;
      return Answer::kMore;
    }
    const uint64_t need = LoadLE64(held->data() + index_) + kFramingSize;
    if (need > left) {
      if (!ended) {
        Drop(held, index_);
        index_ = 0;
        return Answer::kMore;
      }
      ++index_;
      continue;
    }
    if (!checks_.IsRight(held->data(), index_)) {
      const Place after = JudgePlace(*held, index_ + need, ended);
      if (after == Place::kUndecided) return Answer::kMore;
      if (after == Place::kWrong) {
        ++index_;
        continue;
      }
    }
    Found(held, index_, false);
    return Answer::kFound;
  }
}

void Salvage::Drop(ByteBuffer* held, size_t count) {
  if (count == 0) return;
  checks_.Clear();
  std::memmove(held->data(), held->data() + count, held->size() - count);
  held->Resize(held->size() - count);
  offset_ += count;
}

/// The region ends at index `at` of the held bytes. `known`: the length of the
/// damaged record is.
void Salvage::Found(ByteBuffer* held, size_t at, bool known) {
  Drop(held, at);
  Settle(true);
  if (known) return;
  fault_.doubtful += BreakOff(start_);
  // The data of a damaged record cannot begin with a whole member.
  if (torn_ && !doubtful_ && !located_ && offset_ == searched_from_) return;
  const bool within = reach_ != kUnknown && offset_ < reach_;
  run_ = {true, after(), within ? reach_ : kUnknown};
}

/// The region ends at `offset_`.
void Salvage::Settle(bool found) {
  fault_.lost = LostWith(0);
  fault_.resumes = found;
  if (located_) fault_.region_end = offset_;
  if (found) {
    fault_.resume_record = start_.record + (fault_.lost > 0 ? 1 : 0);
  } else {
    fault_.resume_at = kUnknown;
  }
}

uint64_t Salvage::Doubtful(const StreamPlace& next) const {
  if (!run_.searched) return 0;
  const bool passed = next.offset >= run_.reach ||
                      next.offset - run_.start.offset > most_ + kFramingSize;
  return passed ? 0 : next.record - run_.start.record;
}

uint64_t Salvage::BreakOff(const StreamPlace& next) {
  const uint64_t doubtful = Doubtful(next);
  run_ = Run();
  return doubtful;
}

uint64_t Salvage::AtEnd(const StreamPlace& next) {
  const bool reached = run_.reach != kUnknown;
  const uint64_t doubtful = BreakOff(next);
  return reached ? doubtful : 0;
}

}  // namespace tfr
