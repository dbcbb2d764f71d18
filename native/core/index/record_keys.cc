#include "core/index/record_keys.h"

#include <algorithm>
#include <utility>

#include "core/crc32c/crc32c.h"
#include "core/index/index_bytes.h"

namespace tfr {
namespace {

/// Entries of a part of a saved section.
constexpr size_t kPart = size_t{1} << 16;

uint64_t EntryOf(const uint8_t* key, size_t size, uint64_t record) {
  return uint64_t{crc32c::Extend(0, key, size)} << 32 | record;
}

SortedKeys Merge(const std::vector<SortedKeys>& runs) {
  struct Head {
    KeyCursor cursor;
    uint64_t entry = 0;
  };
  std::vector<Head> heads;
  for (const SortedKeys& run : runs) {
    Head head{KeyCursor(run)};
    if (head.cursor.Next(&head.entry)) heads.push_back(std::move(head));
  }
  SortedKeys merged;
  while (!heads.empty()) {
    // There are twenty at most.
    size_t least = 0;
    for (size_t i = 1; i < heads.size(); ++i) {
      if (heads[i].entry < heads[least].entry) least = i;
    }
    Head& head = heads[least];
    if (merged.size() == 0 || head.entry != merged.last()) {
      merged.Add(head.entry);
    }
    if (head.cursor.Next(&head.entry)) continue;
    std::swap(head, heads.back());
    heads.pop_back();
  }
  return merged;
}

}  // namespace

bool RecordKeys::Add(uint64_t record, const uint8_t* key, size_t size) {
  if (in_runs_ + new_.size() >= kMost || record > UINT32_MAX) return false;
  new_.push_back(EntryOf(key, size, record));
  if (new_.size() == SortedKeys::kHeld) {
    EndRun();
    runs_.back().Release();
  }
  return true;
}

void RecordKeys::EndRun() {
  std::sort(new_.begin(), new_.end());
  new_.erase(std::unique(new_.begin(), new_.end()), new_.end());
  runs_.emplace_back();
  for (const uint64_t entry : new_) runs_.back().Add(entry);
  in_runs_ += new_.size();
  new_.clear();
}

const SortedKeys& RecordKeys::Merged() {
  if (!new_.empty() || runs_.empty()) EndRun();
  new_.shrink_to_fit();
  if (runs_.size() > 1) {
    SortedKeys merged = Merge(runs_);
    runs_.clear();
    in_runs_ = merged.size();
    runs_.push_back(std::move(merged));
  }
  return runs_.front();
}

std::vector<uint64_t> RecordKeys::Find(const uint8_t* key, size_t size) {
  const SortedKeys& keys = Merged();
  const uint64_t least = EntryOf(key, size, 0);
  KeyCursor cursor(keys, keys.LowerBound(least));
  std::vector<uint64_t> records;
  uint64_t entry;
  while (cursor.Next(&entry) && entry <= (least | UINT32_MAX)) {
    records.push_back(entry & UINT32_MAX);
  }
  return records;
}

size_t RecordKeys::size() { return Merged().size(); }

size_t RecordKeys::held_bytes() const {
  size_t bytes = new_.capacity() * sizeof(uint64_t);
  for (const SortedKeys& run : runs_) bytes += run.held_bytes();
  return bytes;
}

bool RecordKeys::SavePart(size_t part, uint32_t sum, ByteBuffer* to) {
  const SortedKeys& keys = Merged();
  IndexWriter writer(to);
  if (part == 0) {
    writer.Varint(feature_.size());
    writer.Bytes(feature_.data(), feature_.size());
    writer.Varint(keys.size());
    writer.Enclose("keys", keys.size() * sizeof(uint64_t));
    return true;
  }
  const size_t from = (part - 1) * kPart;
  if (from < keys.size()) {
    std::vector<uint64_t> entries(std::min(kPart, keys.size() - from));
    keys.Read(from, entries.size(), entries.data());
    for (const uint64_t entry : entries) writer.U64(entry);
    return true;
  }
  // One part more than the entries take, which may be none.
  if (part != (keys.size() + kPart - 1) / kPart + 1) return false;
  writer.U32(crc32c::Mask(sum));
  return true;
}

void RecordKeys::Loader::Take(const uint8_t* data, size_t size) {
  if (wrong_) return;
  if (has_head_) return TakeEntries(data, size);
  rest_.insert(rest_.end(), data, data + size);
  const size_t head = TakeHead();
  if (head == 0) return;
  has_head_ = true;
  std::vector<uint8_t> rest(std::move(rest_));
  rest_.clear();
  TakeEntries(rest.data() + head, rest.size() - head);
}

size_t RecordKeys::Loader::TakeHead() {
  IndexReader reader(rest_.data(), rest_.size());
  uint64_t size;
  if (!reader.Varint(&size) || size > reader.left()) return 0;
  const auto* const name = reinterpret_cast<const char*>(reader.at());
  reader.Skip(static_cast<size_t>(size));
  if (!reader.Varint(&count_)) return 0;
  if (size == 0 || count_ > kMost) wrong_ = true;
  keys_->feature_.assign(name, static_cast<size_t>(size));
  keys_->runs_.emplace_back();
  return rest_.size() - reader.left();
}

void RecordKeys::Loader::TakeEntries(const uint8_t* data, size_t size) {
  SortedKeys& keys = keys_->runs_.front();
  const auto take = [&](const uint8_t* at) {
    const uint64_t entry = LoadLE64(at);
    if (keys.size() == count_ || (keys.size() > 0 && entry <= keys.last())) {
      wrong_ = true;
      return;
    }
    keys.Add(entry);
    last_record_ = std::max(last_record_, entry & UINT32_MAX);
  };
  while (size > 0 && !wrong_) {
    if (rest_.empty() && size >= sizeof(uint64_t)) {
      take(data);
      data += sizeof(uint64_t);
      size -= sizeof(uint64_t);
      continue;
    }
    rest_.push_back(*data++);
    --size;
    if (rest_.size() < sizeof(uint64_t)) continue;
    take(rest_.data());
    rest_.clear();
  }
}

bool RecordKeys::Loader::Finish(uint64_t records) {
  if (wrong_ || !has_head_ || !rest_.empty()) return false;
  const SortedKeys& keys = keys_->runs_.front();
  keys_->in_runs_ = keys.size();
  return keys.size() == count_ && (count_ == 0 || last_record_ < records);
}

}  // namespace tfr
