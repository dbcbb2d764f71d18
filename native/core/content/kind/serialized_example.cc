#include "core/content/kind/serialized_example.h"

#include "core/content/kind/signature.h"

namespace tfr {
namespace {

constexpr uint64_t kMaxLength = (uint64_t{1} << 31) - 1;

// Tags: field number << 3 | wire type.
constexpr uint8_t kVarint1 = 0x08;
constexpr uint8_t kBytes1 = 0x0a;
constexpr uint8_t kFixed1 = 0x0d;
constexpr uint8_t kBytes2 = 0x12;
constexpr uint8_t kBytes3 = 0x1a;

/// Parses a message that may be cut. Its functions return false if the bytes
/// are not the field that they should be; they return true, with `cut_` set,
/// where the bytes end first.
class HeadParser {
 public:
  HeadParser(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  BareMessage Parse() {
    bool sequence = false;
    while (!cut_ && at_ < size_) {
      const uint8_t tag = data_[at_++];
      sequence = sequence || tag == kBytes2;
      uint64_t end = 0;
      if ((tag != kBytes1 && tag != kBytes2) || !Length(UINT64_MAX, &end) ||
          !Entries(end, tag == kBytes1)) {
        return BareMessage::kNone;
      }
    }
    if (!shown_) return BareMessage::kNone;
    if (cut_) {
      return sequence ? BareMessage::kCutSequenceExample
                      : BareMessage::kCutExample;
    }
    return sequence ? BareMessage::kSequenceExample : BareMessage::kExample;
  }

 private:
  /// True if the next byte is there and belongs to a field that ends at `end`.
  bool More(uint64_t end) {
    if (cut_ || at_ >= end) return false;
    cut_ = at_ == size_;
    return !cut_;
  }

  bool Varint(uint64_t end, uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (!More(end)) return cut_;
      const uint8_t byte = data_[at_++];
      *value |= uint64_t{byte & 0x7fu} << (shift < 63 ? shift : 63);
      if (byte < 0x80) return true;
    }
    return false;
  }

  /// Reads a length, and sets `*end` to the end of its bytes.
  bool Length(uint64_t parent_end, uint64_t* end) {
    uint64_t length = 0;
    if (!Varint(parent_end, &length)) return false;
    *end = at_ + length;
    return cut_ || (length <= kMaxLength && *end <= parent_end);
  }

  bool Tagged(uint8_t tag, uint64_t parent_end, uint64_t* end) {
    if (!More(parent_end)) return cut_;
    return data_[at_++] == tag && Length(parent_end, end);
  }

  void Skip(uint64_t end) {
    cut_ = cut_ || end > size_;
    if (!cut_) at_ = static_cast<size_t>(end);
  }

  /// Features, or FeatureLists: a map from keys.
  bool Entries(uint64_t end, bool features) {
    while (More(end)) {
      uint64_t entry_end = 0;
      if (!Tagged(kBytes1, end, &entry_end) || !Entry(entry_end, features)) {
        return false;
      }
    }
    return true;
  }

  bool Entry(uint64_t end, bool features) {
    uint64_t key_end = 0;
    if (cut_) return true;
    if (!Tagged(kBytes1, end, &key_end)) return false;
    if (cut_) return true;
    const uint64_t there = key_end < size_ ? key_end : size_;
    if (key_end == at_ || (there > at_ && !IsKey(static_cast<size_t>(there)))) {
      return false;
    }
    Skip(key_end);
    uint64_t value_end = 0;
    if (!Tagged(kBytes2, end, &value_end)) return false;
    const bool right = features ? Feature(value_end) : FeatureList(value_end);
    return right && (cut_ || at_ == end);
  }

  bool IsKey(size_t end) const {
    if (!LooksLikeText(data_ + at_, end - at_)) return false;
    for (size_t i = at_; i < end; ++i) {
      if (data_[i] < 0x20) return false;
    }
    return true;
  }

  bool FeatureList(uint64_t end) {
    while (More(end)) {
      uint64_t feature_end = 0;
      if (!Tagged(kBytes1, end, &feature_end) || !Feature(feature_end)) {
        return false;
      }
    }
    return true;
  }

  bool Feature(uint64_t end) {
    if (!More(end)) return true;
    const uint8_t kind = data_[at_++];
    uint64_t list_end = 0;
    if ((kind != kBytes1 && kind != kBytes2 && kind != kBytes3) ||
        !Length(end, &list_end)) {
      return false;
    }
    if (cut_) return true;
    shown_ = true;
    while (More(list_end)) {
      const bool right = kind == kBytes1   ? Bytes(list_end)
                         : kind == kBytes2 ? Floats(list_end)
                                           : Ints(list_end);
      if (!right) return false;
    }
    return cut_ || at_ == end;
  }

  bool Bytes(uint64_t end) {
    uint64_t value_end = 0;
    if (!Tagged(kBytes1, end, &value_end)) return false;
    Skip(value_end);
    return true;
  }

  bool Floats(uint64_t end) {
    const uint8_t tag = data_[at_++];
    uint64_t value_end = at_ + 4;
    if (tag == kBytes1) {
      if (!Length(end, &value_end)) return false;
      if (!cut_ && (value_end - at_) % 4 != 0) return false;
    } else if (tag != kFixed1 || value_end > end) {
      return false;
    }
    Skip(value_end);
    return true;
  }

  bool Ints(uint64_t end) {
    const uint8_t tag = data_[at_++];
    uint64_t value = 0;
    if (tag == kVarint1) return Varint(end, &value);
    uint64_t value_end = 0;
    if (tag != kBytes1 || !Length(end, &value_end)) return false;
    while (More(value_end)) {
      if (!Varint(value_end, &value)) return false;
    }
    return true;
  }

  const uint8_t* const data_;
  const size_t size_;
  size_t at_ = 0;
  bool cut_ = false;
  /// A feature was seen with its key and its kind.
  bool shown_ = false;
};

}  // namespace

BareMessage BareMessageAt(const uint8_t* data, size_t size) {
  return HeadParser(data, size).Parse();
}

}  // namespace tfr
