#include "core/example/locator.h"

#include <cstring>
#include <utility>

namespace tfr {

namespace {

/// Both Example and SequenceExample; 2 is the latter's.
constexpr uint32_t kFeaturesTag = LengthTag(1);
constexpr uint32_t kFeatureListsTag = LengthTag(2);
/// The entries of `Features` and `FeatureLists`.
constexpr uint32_t kEntryTag = LengthTag(1);
constexpr uint32_t kKeyTag = LengthTag(1);
constexpr uint32_t kValueTag = LengthTag(2);

/// An entry as writers make it: key, value, nothing else.
inline bool CommonEntry(Span entry, Span* key, Span* value) {
  const uint8_t* const p = entry.data;
  if (entry.size < 4 || p[0] != kKeyTag || p[1] >= 0x80) return false;
  const size_t key_size = p[1];
  if (entry.size < key_size + 4) return false;
  const uint8_t* const tag = p + 2 + key_size;
  if (*tag != kValueTag) return false;
  WireReader reader({tag + 1, static_cast<size_t>(entry.end() - tag - 1)});
  if (!reader.Bytes(value) || !reader.done()) return false;
  *key = {p + 2, key_size};
  return true;
}

/// With room for the padding behind it.
bool Append(TypedBuffer<uint8_t>* buffer, Span bytes) {
  uint8_t* const room = buffer->Room(bytes.size + Locator::kPadding);
  if (room == nullptr) return false;
  if (bytes.size > 0) std::memcpy(room, bytes.data, bytes.size);
  buffer->Add(bytes.size);
  return true;
}

}  // namespace

Locator::Locator(const Plan& plan)
    : plan_(plan),
      features_(plan.features),
      lists_(plan.lists),
      seen_(plan.columns.size(), 0) {}

void Locator::Restart() {
  features_.Restart();
  lists_.Restart();
  merged_.clear();
}

Locator::Outcome Locator::Locate(Span record, Span* spans, size_t stride) {
  spans_ = spans;
  stride_ = stride;
  ++record_;
  found_ = 0;
  features_.StartRecord();
  lists_.StartRecord();
  WireReader reader(record);
  while (!reader.done()) {
    uint32_t tag;
    Span map;
    if (!reader.Tag(&tag)) return Malformed(reader);
    const bool features = tag == kFeaturesTag;
    if (!features && !(plan_.sequence && tag == kFeatureListsTag)) {
      if (!reader.Skip(tag)) return Malformed(reader);
      continue;
    }
    if (!reader.Bytes(&map)) return Malformed(reader);
    const Outcome outcome = Entries(map, features ? &features_ : &lists_);
    if (outcome != Outcome::kFound) return outcome;
  }
  if (found_ < seen_.size()) MarkAbsent();
  return Outcome::kFound;
}

Locator::Outcome Locator::Entries(Span map, KeyOrder* order) {
  WireReader reader(map);
  while (!reader.done()) {
    uint32_t tag;
    Span entry, key, value;
    if (!reader.Tag(&tag)) return Malformed(reader);
    if (tag != kEntryTag) {
      if (!reader.Skip(tag)) return Malformed(reader);
      continue;
    }
    if (!reader.Bytes(&entry)) return Malformed(reader);
    if (!CommonEntry(entry, &key, &value)) {
      const Outcome outcome = AnyEntry(entry, &key, &value);
      if (outcome != Outcome::kFound) return outcome;
    }
    if (order->idle()) continue;
    const int32_t column = order->Find(key);
    if (column != KeyTable::kNotFound) Put(column, value);
  }
  return Outcome::kFound;
}

/// By protobuf's rules for messages: parts that are not there are empty, of
/// several keys the last counts, several values are one, field by field (a
/// message behind another is the two merged).
Locator::Outcome Locator::AnyEntry(Span entry, Span* key, Span* value) {
  WireReader reader(entry);
  *key = *value = {entry.end(), 0};
  bool has_value = false;
  TypedBuffer<uint8_t>* merged = nullptr;
  while (!reader.done()) {
    uint32_t tag;
    Span part;
    if (!reader.Tag(&tag)) return Malformed(reader);
    if (tag != kKeyTag && tag != kValueTag) {
      if (!reader.Skip(tag)) return Malformed(reader);
      continue;
    }
    if (!reader.Bytes(&part)) return Malformed(reader);
    if (tag == kKeyTag) {
      *key = part;
    } else if (!has_value) {
      *value = part;
      has_value = true;
    } else {
      if (merged == nullptr) {
        merged_.push_back(std::make_unique<TypedBuffer<uint8_t>>());
        merged = merged_.back().get();
        if (!Append(merged, *value)) return Outcome::kNoMemory;
      }
      if (!Append(merged, part)) return Outcome::kNoMemory;
    }
  }
  if (merged != nullptr) {
    std::memset(merged->end(), 0, kPadding);
    *value = {merged->data(), merged->size()};
  }
  return Outcome::kFound;
}

Locator::Outcome Locator::Malformed(const WireReader& reader) {
  broken_ = reader.position();
  return Outcome::kMalformed;
}

void Locator::Put(int32_t column, Span value) {
  const size_t at = static_cast<size_t>(column);
  found_ += seen_[at] != record_;
  seen_[at] = record_;
  spans_[at * stride_] = value;
}

void Locator::MarkAbsent() {
  for (size_t column = 0; column < seen_.size(); ++column) {
    if (seen_[column] != record_) spans_[column * stride_] = {};
  }
}

}  // namespace tfr
