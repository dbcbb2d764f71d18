#include "core/index/record_keys.h"

#include <algorithm>

#include "core/crc32c/crc32c.h"

namespace tfr {
namespace {

uint64_t EntryOf(const uint8_t* key, size_t size, uint64_t record) {
  return uint64_t{crc32c::Extend(0, key, size)} << 32 | record;
}

}  // namespace

bool RecordKeys::Add(uint64_t record, const uint8_t* key, size_t size) {
  if (entries_.size() >= kMost || record > UINT32_MAX) return false;
  entries_.push_back(EntryOf(key, size, record));
  sorted_ = false;
  return true;
}

void RecordKeys::Sort() const {
  if (sorted_) return;
  std::sort(entries_.begin(), entries_.end());
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
  sorted_ = true;
}

std::vector<uint64_t> RecordKeys::Find(const uint8_t* key, size_t size) {
  Sort();
  const uint64_t least = EntryOf(key, size, 0);
  const auto first = std::lower_bound(entries_.begin(), entries_.end(), least);
  const auto end = std::upper_bound(first, entries_.end(), least | UINT32_MAX);
  std::vector<uint64_t> records;
  records.reserve(static_cast<size_t>(end - first));
  for (auto each = first; each != end; ++each) {
    records.push_back(*each & UINT32_MAX);
  }
  return records;
}

size_t RecordKeys::size() {
  Sort();
  return entries_.size();
}

void RecordKeys::Save(IndexWriter* to) const {
  Sort();
  to->Varint(feature_.size());
  to->Bytes(feature_.data(), feature_.size());
  to->Varint(entries_.size());
  for (const uint64_t entry : entries_) to->U64(entry);
}

bool RecordKeys::Load(IndexReader* from, uint64_t records) {
  uint64_t size;
  uint64_t count;
  if (!from->Varint(&size) || size == 0 || size > from->left()) return false;
  feature_.assign(reinterpret_cast<const char*>(from->at()),
                  static_cast<size_t>(size));
  from->Skip(static_cast<size_t>(size));
  if (!from->Varint(&count) || count > kMost || count > from->left() / 8) {
    return false;
  }
  entries_.clear();
  entries_.reserve(static_cast<size_t>(count));
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t entry;
    if (!from->U64(&entry) || (entry & UINT32_MAX) >= records ||
        (i > 0 && entry <= entries_.back())) {
      return false;
    }
    entries_.push_back(entry);
  }
  sorted_ = true;
  return true;
}

}  // namespace tfr
