#include "core/example/survey/distinct_values.h"

#include <cstring>

#include "core/base/endian.h"

namespace tfr {

namespace {

/// Mixes `word` into `hash`; the top bits depend on all bits of both.
uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
}

uint64_t HashOf(Span value) {
  uint64_t hash = value.size;
  const uint8_t* p = value.data;
  size_t left = value.size;
  for (; left >= 8; left -= 8, p += 8) hash = Mix(hash, LoadLE64(p));
  uint64_t rest = 0;
  for (size_t i = 0; i < left; ++i) rest = rest << 8 | p[i];
  return Mix(hash, rest);
}

}  // namespace

void DistinctInts::Forget() {
  many_ = true;
  slots_.Free();
  std::vector<int64_t>().swap(values_);
}

void DistinctInts::Insert(int64_t value) {
  uint8_t* slot = nullptr;
  const int found = slots_.Find(
      Mix(0, static_cast<uint64_t>(value)), &slot,
      [&](int index) { return values_[static_cast<size_t>(index)] == value; });
  if (found >= 0) {
    last_ = static_cast<size_t>(found);
    return;
  }
  if (values_.size() == kMostDistinct) {
    Forget();
    return;
  }
  last_ = values_.size();
  values_.push_back(value);
  *slot = static_cast<uint8_t>(values_.size());
}

void DistinctInts::Merge(const DistinctInts& other) {
  if (other.many_ && !many_) Forget();
  for (const int64_t value : other.values_) Add(value);
}

bool DistinctBytes::Is(size_t index, Span value) const {
  const Span known = at(index);
  return known.size == value.size &&
         (value.size == 0 ||
          std::memcmp(known.data, value.data, value.size) == 0);
}

void DistinctBytes::Forget() {
  many_ = true;
  slots_.Free();
  std::string().swap(data_);
  std::vector<uint32_t>().swap(ends_);
}

void DistinctBytes::Insert(Span value) {
  if (value.size > kLongest) {
    Forget();
    return;
  }
  uint8_t* slot = nullptr;
  const int found = slots_.Find(HashOf(value), &slot, [&](int index) {
    return Is(static_cast<size_t>(index), value);
  });
  if (found >= 0) {
    last_ = static_cast<size_t>(found);
    return;
  }
  if (ends_.size() == kMostDistinct || data_.size() + value.size > kMostBytes) {
    Forget();
    return;
  }
  last_ = ends_.size();
  if (value.size > 0) {
    data_.append(reinterpret_cast<const char*>(value.data), value.size);
  }
  ends_.push_back(static_cast<uint32_t>(data_.size()));
  *slot = static_cast<uint8_t>(ends_.size());
}

void DistinctBytes::Merge(const DistinctBytes& other) {
  if (other.many_ && !many_) Forget();
  for (size_t i = 0; i < other.ends_.size(); ++i) Add(other.at(i));
}

}  // namespace tfr
