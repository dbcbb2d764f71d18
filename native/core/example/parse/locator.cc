#include "core/example/parse/locator.h"

#include <cstring>
#include <functional>

#include "core/example/type/record_type.h"

namespace tfr {

namespace {

/// Tags of Example and SequenceExample; 2 is the latter's only.
constexpr uint32_t kFeaturesTag = LengthTag(1);
constexpr uint32_t kFeatureListsTag = LengthTag(2);
/// Tag of the entries of `Features` and `FeatureLists`.
constexpr uint32_t kEntryTag = LengthTag(1);
constexpr uint32_t kKeyTag = LengthTag(1);
constexpr uint32_t kValueTag = LengthTag(2);

/// Reads an entry in the form that writers produce at `p`: key, value, nothing
/// else, lengths of one or two bytes. Returns the position after it; nullptr
/// for any other form.
inline const uint8_t* CommonEntry(const uint8_t* p, const uint8_t* end,
                                  Span* key, Span* value) {
  if (end - p < 6 || p[0] != kEntryTag) return nullptr;
  size_t size;
  const uint8_t* const entry = ShortLength(p + 1, end, &size);
  if (entry == nullptr || size < 4 || size > static_cast<size_t>(end - entry)) {
    return nullptr;
  }
  const size_t key_size = entry[1];
  if (entry[0] != kKeyTag || key_size >= 0x80 || key_size + 4 > size) {
    return nullptr;
  }
  const uint8_t* const tag = entry + 2 + key_size;
  const uint8_t* const entry_end = entry + size;
  size_t value_size;
  if (*tag != kValueTag) return nullptr;
  const uint8_t* const data = ShortLength(tag + 1, entry_end, &value_size);
  if (data == nullptr || value_size != static_cast<size_t>(entry_end - data)) {
    return nullptr;
  }
  *key = {entry + 2, key_size};
  *value = {data, value_size};
  return entry_end;
}

bool IsWhole(Span message) {
  WireReader reader(message, Depth::kValue);
  while (!reader.done()) {
    uint32_t tag;
    if (!reader.Tag(&tag) || !reader.Skip(tag)) return false;
  }
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
  split_values_.Clear();
}

Locator::Outcome Locator::Locate(Span record, Span* spans, size_t stride) {
  spans_ = spans;
  stride_ = stride;
  ++record_;
  found_ = 0;
  features_.StartRecord();
  lists_.StartRecord();
  WireReader reader(record, Depth::kRecord);
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
  if (found_ == seen_.size()) return Outcome::kFound;
  MarkAbsent();
  return found_ == 0 && IsForeign(record) ? Outcome::kForeign : Outcome::kFound;
}

Locator::Outcome Locator::Entries(Span map, KeyOrder* order) {
  WireReader reader(map, Depth::kMap);
  while (!reader.done()) {
    reader.MoveTo(order->Run(reader.position(), reader.end(),
                             [this](int32_t column, Span value) {
                               if (column != KeyTable::kNotFound)
                                 Put(column, value);
                             }));
    if (reader.done()) break;
    uint32_t tag;
    Span entry;
    Parts parts;
    const uint8_t* const behind =
        CommonEntry(reader.position(), reader.end(), &parts.key, &parts.value);
    if (behind != nullptr) {
      reader.MoveTo(behind);
    } else {
      if (!reader.Tag(&tag)) return Malformed(reader);
      if (tag != kEntryTag) {
        if (!reader.Skip(tag)) return Malformed(reader);
        continue;
      }
      if (!reader.Bytes(&entry)) return Malformed(reader);
      if (!AnyEntry(entry, &parts)) return Outcome::kMalformed;
    }
    if (order->idle()) continue;
    const int32_t column = order->Find(parts.key);
    if (column == KeyTable::kNotFound) continue;
    if (parts.split_size > 0 && !Merge(entry, &parts)) {
      return Outcome::kNoMemory;
    }
    Put(column, parts.value);
  }
  return Outcome::kFound;
}

/// Reads an entry by protobuf's rules for messages: missing parts are empty,
/// the last of several keys wins, several values are merged.
bool Locator::AnyEntry(Span entry, Parts* parts) {
  WireReader reader(entry, Depth::kEntry);
  parts->key = parts->value = {entry.end(), 0};
  size_t total = 0;
  while (!reader.done()) {
    uint32_t tag;
    Span part;
    if (!reader.Tag(&tag) ||
        !(tag == kKeyTag || tag == kValueTag ? reader.Bytes(&part)
                                             : reader.Skip(tag))) {
      broken_ = reader.position();
      return false;
    }
    if (tag == kKeyTag) {
      parts->key = part;
    } else if (tag == kValueTag && part.size > 0) {
      parts->value = part;
      total += part.size;
    }
  }
  if (total > parts->value.size) parts->split_size = total;
  return true;
}

/// Concatenated messages are merged as long as each is whole. So a piece that
/// is not whole must be the last: it is malformed in either case.
bool Locator::Merge(Span entry, Parts* parts) {
  uint8_t* const room = split_values_.Room(parts->split_size, entry.data);
  if (room == nullptr) return false;
  uint8_t* to = room;
  uint32_t tag;
  Span part;
  bool whole = true;
  for (WireReader reader(entry, Depth::kEntry); whole && !reader.done();) {
    if (!reader.Tag(&tag)) break;
    if (tag != kValueTag) {
      if (!reader.Skip(tag)) break;
      continue;
    }
    if (!reader.Bytes(&part)) break;
    if (part.size > 0) std::memcpy(to, part.data, part.size);
    to += part.size;
    whole = IsWhole(part);
  }
  parts->value = {room, static_cast<size_t>(to - room)};
  return true;
}

const uint8_t* Locator::PlaceOf(Span span, Span record) const {
  const std::less_equal<const uint8_t*> le;
  const bool within = le(record.data, span.data) && le(span.data, record.end());
  return within ? span.data : SplitValues::OriginOf(span.data);
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
