#include "core/example/parse/plan/key_table.h"

#include <cstring>

#include "core/base/endian.h"

namespace tfr {

namespace {

constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;

uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * kMultiplier;
  return hash ^ hash >> 32;
}

uint32_t HashOf(const uint8_t* key, size_t size) {
  uint64_t hash = size;
  for (; size >= 8; key += 8, size -= 8) hash = Mix(hash, LoadLE64(key));
  if (size > 0) {
    uint8_t last[8] = {};
    std::memcpy(last, key, size);
    hash = Mix(hash, LoadLE64(last));
  }
  return static_cast<uint32_t>(hash);
}

const uint8_t* BytesOf(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

KeyTable::KeyTable(const std::vector<Entry>& entries) : entries_(entries) {
  size_t size = 4;
  while (size < entries.size() * 2) size *= 2;
  slots_.assign(size, kNotFound);
  mask_ = static_cast<uint32_t>(size - 1);
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string& key = entries[i].key;
    uint32_t slot = HashOf(BytesOf(key), key.size()) & mask_;
    while (slots_[slot] != kNotFound) slot = (slot + 1) & mask_;
    slots_[slot] = static_cast<int32_t>(i);
  }
}

int32_t KeyTable::Find(Span key) const {
  uint32_t slot = HashOf(key.data, key.size) & mask_;
  for (; slots_[slot] != kNotFound; slot = (slot + 1) & mask_) {
    const Entry& entry = entries_[static_cast<size_t>(slots_[slot])];
    if (entry.key.size() == key.size &&
        (key.size == 0 ||
         std::memcmp(entry.key.data(), key.data, key.size) == 0)) {
      return entry.column;
    }
  }
  return kNotFound;
}

}  // namespace tfr
