#include "core/example/print/line_names.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/example/print/json_text.h"

namespace tfr {

namespace {

constexpr uint8_t kField1 = LengthTag(1);
constexpr uint8_t kField2 = LengthTag(2);
/// Maximum number of bytes of JSON for one byte of text.
constexpr size_t kLongestEscape = 6;
/// For quotes, a colon and the room that `PutText` leaves unused.
constexpr size_t kMargin = 32;

bool IsAt(Span bytes, const std::string& name) {
  return bytes.size == name.size() &&
         std::memcmp(bytes.data, name.data(), name.size()) == 0;
}

/// Reads a field with the one-byte tag `tag`.
bool Field(WireReader* reader, uint8_t tag, Span* content) {
  if (reader->done() || *reader->position() != tag) return false;
  reader->MoveTo(reader->position() + 1);
  return reader->Bytes(content);
}

/// The JSON of a name with a colon, in memory of its size; empty if it is not
/// printable.
std::string JsonOf(Span name) {
  std::string json(name.size * kLongestEscape + kMargin, '\0');
  auto* const start = reinterpret_cast<uint8_t*>(json.data());
  TextRoom room{start, start + json.size()};
  if (PutText(name, TextRule::kName, &room) != TextOutcome::kPut) return {};
  *room.at++ = ':';
  return {json.data(), static_cast<size_t>(room.at - start)};
}

}  // namespace

bool LineNames::Find(Span map, Section* section) {
  ++maps_;
  section->entries_.clear();
  WireReader entries(map);
  while (!entries.done()) {
    Span entry;
    if (!Field(&entries, kField1, &entry)) return false;
    WireReader parts(entry);
    Span bytes;
    Span value;
    if (!Field(&parts, kField1, &bytes) || !Field(&parts, kField2, &value) ||
        !parts.done()) {
      return false;
    }
    LineName* const name = NameOf(bytes, section);
    if (name == nullptr || name->map == maps_) return false;
    name->map = maps_;
    section->entries_.push_back({name, value});
  }
  return true;
}

LineName* LineNames::NameOf(Span bytes, Section* section) {
  const size_t entry = section->entries_.size();
  std::vector<LineName*>& expected = section->expected_;
  if (entry < expected.size() && IsAt(bytes, expected[entry]->bytes)) {
    return expected[entry];
  }
  if (bytes.size > kMostNameBytes) return nullptr;
  std::string key(reinterpret_cast<const char*>(bytes.data), bytes.size);
  auto found = names_.find(key);
  LineName* const name =
      found == names_.end() ? Keep(std::move(key)) : &found->second;
  if (name == nullptr) return nullptr;
  if (entry < expected.size()) {
    expected[entry] = name;
  } else if (entry == expected.size()) {
    expected.push_back(name);
  }
  return name;
}

LineName* LineNames::Keep(std::string key) {
  // A repeated name would go unnoticed if it could not be remembered.
  if (names_.size() >= kMostNames) return nullptr;
  std::string json =
      JsonOf({reinterpret_cast<const uint8_t*>(key.data()), key.size()});
  if (json.empty()) return nullptr;
  const size_t kept = kept_ + 2 * key.size() + json.size();
  if (kept > kMostBytes) return nullptr;
  LineName name{key, std::move(json)};
  const auto put = names_.emplace(std::move(key), std::move(name)).first;
  kept_ = kept;
  return &put->second;
}

void LineNames::Section::Sort() {
  const size_t count = entries_.size();
  bool same = ordered_.size() == count;
  for (size_t i = 0; i < count && same; ++i) {
    same = ordered_[i] == entries_[i].name;
  }
  if (!same) {
    ordered_.clear();
    for (const LineEntry& entry : entries_) ordered_.push_back(entry.name);
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
      return ordered_[a]->bytes < ordered_[b]->bytes;
    });
  }
  sorted_.clear();
  for (const uint32_t index : order_) sorted_.push_back(entries_[index]);
  entries_.swap(sorted_);
}

}  // namespace tfr
