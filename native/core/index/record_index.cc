#include "core/index/record_index.h"

#include <algorithm>
#include <utility>

namespace tfr {
namespace {

/// Records between two that were read, whose offsets are not known. There are
/// more only where readers add that leave something out.
constexpr uint64_t kMaxMissing = 1024;

/// Drops every other element, but not the first.
template <class T>
void Thin(std::vector<T>* elements) {
  size_t kept = 0;
  for (size_t i = 0; i < elements->size(); i += 2) {
    (*elements)[kept++] = std::move((*elements)[i]);
  }
  elements->resize(kept);
}

}  // namespace

void RecordIndex::Note(const SlabFill& fill) {
  if (limits_.compressed_only && fill.compression == Compression::kNone) return;
  std::lock_guard<std::mutex> lock(mutex_);
  // Memory ran out for the first checkpoint.
  if (fill.compression != Compression::kNone && checkpoints_.empty()) return;
  uint64_t record = fill.first_record;
  uint64_t end = fill.base;
  for (const Frame& frame : fill.frames) {
    const StreamPlace place{fill.base + frame.offset - header_bytes_, record};
    if (WantsPlace(place)) AddPlace(place);
    AddOffset(place);
    end = fill.base + frame.offset + frame.length + footer_bytes_;
    ++record;
  }
  known_ = {std::max(known_.offset, end), std::max(known_.record, record)};
}

void RecordIndex::AddOffset(const StreamPlace& place) {
  // Known from an earlier reading.
  if (limits_.most_offset_memory == 0 || dropped_offsets_ ||
      place.record < offsets_.size()) {
    return;
  }
  // Records that are too long, or lost, begin after those before them.
  const uint64_t missing = std::max(known_.offset, offsets_.last());
  if (place.offset >= missing &&
      place.record - offsets_.size() <= kMaxMissing) {
    while (offsets_.size() < place.record) offsets_.Add(missing);
    offsets_.Add(place.offset);
    if (offsets_.held_bytes() <= limits_.most_offset_memory) return;
  }
  offsets_.Clear();
  dropped_offsets_ = true;
}

bool RecordIndex::WantsPlace(const StreamPlace& place) const {
  if (places_.empty()) return true;
  const StreamPlace& last = places_.back();
  // Known from an earlier reading.
  if (place.record <= last.record || place.offset <= last.offset) return false;
  return place.offset - last.offset >= limits_.place_bytes ||
         place.record - last.record >= limits_.place_records ||
         // The first record after the last checkpoint.
         (!checkpoints_.empty() &&
          last.offset < checkpoints_.back()->point.produced &&
          place.offset >= checkpoints_.back()->point.produced);
}

void RecordIndex::AddPlace(const StreamPlace& place) {
  if (places_.size() >= limits_.most_places) {
    Thin(&places_);
    limits_.place_bytes *= 2;
    limits_.place_records *= 2;
  }
  places_.push_back(place);
}

bool RecordIndex::Wants(uint64_t offset, bool cheap) {
  std::lock_guard<std::mutex> lock(mutex_);
  // Every jump into compressed content needs one, if only its beginning.
  if (checkpoints_.empty()) return true;
  const uint64_t last = checkpoints_.back()->point.produced;
  return offset > last &&
         offset - last >= limits_.checkpoint_bytes / (cheap ? 2 : 1);
}

void RecordIndex::Add(std::shared_ptr<const Checkpoint> checkpoint) {
  std::lock_guard<std::mutex> lock(mutex_);
  AddCheckpoint(std::move(checkpoint));
}

void RecordIndex::AddCheckpoint(std::shared_ptr<const Checkpoint> checkpoint) {
  const size_t bytes = checkpoint->held_bytes();
  checkpoints_.push_back(std::move(checkpoint));
  checkpoint_memory_ += bytes;
  while (checkpoint_memory_ > limits_.most_checkpoint_memory &&
         checkpoints_.size() > 1) {
    Thin(&checkpoints_);
    limits_.checkpoint_bytes *= 2;
    checkpoint_memory_ = 0;
    for (const auto& kept : checkpoints_) {
      checkpoint_memory_ += kept->held_bytes();
    }
  }
}

bool RecordIndex::Find(uint64_t first, uint64_t last, Jump* jump) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (first >= known_.record) return false;
  if (HasOffsets()) {
    jump->place = {offsets_.At(first), first};
    jump->end = last < offsets_.size() ? offsets_.At(last) : known_.offset;
  } else {
    FindPlaces(first, last, jump);
  }
  jump->from = CheckpointBefore(jump->place.offset);
  jump->checked = VerifiesLengths(verified_);
  return true;
}

std::shared_ptr<const Checkpoint> RecordIndex::CheckpointBefore(
    uint64_t offset) const {
  const auto next = std::upper_bound(
      checkpoints_.begin(), checkpoints_.end(), offset,
      [](uint64_t at, const std::shared_ptr<const Checkpoint>& checkpoint) {
        return at < checkpoint->point.produced;
      });
  return next == checkpoints_.begin() ? nullptr : *(next - 1);
}

std::shared_ptr<const Checkpoint> RecordIndex::CheckpointFrom(
    uint64_t offset) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto first = std::lower_bound(
      checkpoints_.begin(), checkpoints_.end(), offset,
      [](const std::shared_ptr<const Checkpoint>& checkpoint, uint64_t at) {
        return checkpoint->point.produced < at;
      });
  const auto found =
      std::find_if(first, checkpoints_.end(),
                   [](const auto& checkpoint) { return checkpoint->portable; });
  return found == checkpoints_.end() ? nullptr : *found;
}

std::shared_ptr<const Checkpoint> RecordIndex::CheckpointUpTo(
    uint64_t offset) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return CheckpointBefore(offset);
}

uint64_t RecordIndex::RecordAt(uint64_t offset) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (HasOffsets()) {
    uint64_t first = 0;
    uint64_t last = offsets_.size();
    while (first < last) {
      const uint64_t middle = first + (last - first) / 2;
      if (offsets_.At(middle) < offset) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    const bool found = first < offsets_.size() && offsets_.At(first) == offset;
    return found ? first : kUnknown;
  }
  const auto place = std::lower_bound(
      places_.begin(), places_.end(), offset,
      [](const StreamPlace& a, uint64_t at) { return a.offset < at; });
  const bool found = place != places_.end() && place->offset == offset;
  return found ? place->record : kUnknown;
}

bool RecordIndex::FindAll(const uint64_t* records, size_t count,
                          Extent* extents) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (count == 0) return true;
  if (!HasOffsets() || records[count - 1] >= known_.record) return false;
  // Each record's offset, and that of the next one, where it ends.
  std::vector<uint64_t> numbers;
  numbers.reserve(2 * count);
  for (size_t i = 0; i < count; ++i) {
    for (const uint64_t number : {records[i], records[i] + 1}) {
      if (numbers.empty() || number > numbers.back()) numbers.push_back(number);
    }
  }
  const bool has_end = numbers.back() == known_.record;
  std::vector<uint64_t> offsets(numbers.size(), known_.offset);
  offsets_.Find(numbers.data(), numbers.size() - (has_end ? 1 : 0),
                offsets.data());
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    while (numbers[at] < records[i]) ++at;
    extents[i] = {offsets[at], offsets[at + 1], CheckpointBefore(offsets[at])};
  }
  return true;
}

void RecordIndex::FindPlaces(uint64_t first, uint64_t last, Jump* jump) const {
  const auto after =
      std::upper_bound(places_.begin(), places_.end(), first,
                       [](uint64_t record, const StreamPlace& place) {
                         return record < place.record;
                       });
  // Records too large to be read may come before the first place.
  if (after != places_.begin()) jump->place = *(after - 1);
  const auto behind =
      std::lower_bound(after, places_.end(), last,
                       [](const StreamPlace& place, uint64_t record) {
                         return place.record < record;
                       });
  jump->end = behind == places_.end() ? known_.offset : behind->offset;
}

std::shared_ptr<const Checkpoint> RecordIndex::CheckpointAt(size_t at) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return at < checkpoints_.size() ? checkpoints_[at] : nullptr;
}

bool RecordIndex::FindStart(uint64_t record, ReadStart* start) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto after =
      std::upper_bound(places_.begin(), places_.end(), record,
                       [](uint64_t number, const StreamPlace& place) {
                         return number < place.record;
                       });
  if (after == places_.begin()) return false;
  const auto set = [&](const StreamPlace& place) {
    start->record = place.record;
    start->offset = place.offset;
    start->checked = header_bytes_ > 0 && VerifiesLengths(verified_);
  };
  if (checkpoints_.empty()) {
    set(*(after - 1));
    return true;
  }
  for (auto next = checkpoints_.end(); next != checkpoints_.begin();) {
    --next;
    const auto first =
        std::lower_bound(places_.begin(), after, (*next)->point.produced,
                         [](const StreamPlace& place, uint64_t offset) {
                           return place.offset < offset;
                         });
    if (first == after) continue;
    set(*first);
    start->from = *next;
    return true;
  }
  return false;
}

void RecordIndex::Verified(Verify verify) {
  std::lock_guard<std::mutex> lock(mutex_);
  verified_ = std::max(verified_, verify);
}

void RecordIndex::Unframed() {
  std::lock_guard<std::mutex> lock(mutex_);
  header_bytes_ = footer_bytes_ = 0;
}

Verify RecordIndex::verified() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return verified_;
}

uint64_t RecordIndex::distance() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return limits_.checkpoint_bytes;
}

uint64_t RecordIndex::records() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return known_.record;
}

uint64_t RecordIndex::content_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return known_.offset;
}

size_t RecordIndex::held_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return checkpoint_memory_ + places_.size() * sizeof(StreamPlace) +
         offsets_.held_bytes() + keys_.held_bytes();
}

}  // namespace tfr
