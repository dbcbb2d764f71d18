#ifndef TFR_CORE_EXAMPLE_WIRE_WIRE_H_
#define TFR_CORE_EXAMPLE_WIRE_WIRE_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// Bytes of a message, or of a part of one. `data` is null if it is absent.
struct Span {
  const uint8_t* data = nullptr;
  size_t size = 0;

  const uint8_t* end() const { return data + size; }
};

/// How far past the end of a value code may read, if `MayRead` allows it.
/// Memory other than that of the records must be padded by as much.
inline constexpr size_t kMostReadAhead = 32;

/// True if the `size` bytes at `p` end at or before `limit`. (If `p` is in
/// other, padded memory, either answer is fine.)
inline bool MayRead(const uint8_t* p, size_t size, const uint8_t* limit) {
  return reinterpret_cast<uintptr_t>(p) + size <=
         reinterpret_cast<uintptr_t>(limit);
}

/// Wire tags by their types: `field number << 3 | wire type`.
constexpr uint32_t VarintTag(uint32_t field) { return field << 3; }
constexpr uint32_t Fixed64Tag(uint32_t field) { return field << 3 | 1; }
constexpr uint32_t LengthTag(uint32_t field) { return field << 3 | 2; }
constexpr uint32_t Fixed32Tag(uint32_t field) { return field << 3 | 5; }

/// Reads a length of one or two bytes, which nearly all are, at `p`, which is
/// before `end`. Returns the position after it; nullptr for a longer length.
inline const uint8_t* ShortLength(const uint8_t* p, const uint8_t* end,
                                  size_t* size) {
  if (*p < 0x80) {
    *size = *p;
    return p + 1;
  }
  if (end - p < 2 || p[1] >= 0x80) return nullptr;
  *size = (*p & 0x7fu) | static_cast<size_t>(p[1]) << 7;
  return p + 2;
}

/// Maximum size of an integer.
inline constexpr ptrdiff_t kLongestVarint = 10;

/// Nesting depth of a message: the number of messages around it. Protobuf
/// allows a depth of `kMaxDepth`, groups included.
enum class Depth : uint8_t {
  kRecord = 0,
  /// Features and FeatureLists.
  kMap = 1,
  kEntry = 2,
  /// A Feature in a map, or a FeatureList.
  kValue = 3,
  /// A Feature in a FeatureList.
  kStep = 4,
};

inline constexpr size_t kMaxDepth = 100;

/// The depth of the messages in a message at `depth`.
constexpr size_t DepthWithin(Depth depth) {
  return static_cast<size_t>(depth) + 1;
}

/// Reads protobuf's wire format by its rules, and nothing beyond `end`. If a
/// function returns false, `position` is at the malformed bytes. The limits are
/// protobuf's: a tag or length is a 32-bit number in at most five bytes, a
/// length is at most 2^31 - 1, other integers have up to ten bytes.
class WireReader {
 public:
  /// Reads a message at `depth`, or other bytes without groups.
  explicit WireReader(Span bytes, size_t depth = 0)
      : position_(bytes.data), end_(bytes.data + bytes.size), depth_(depth) {}
  WireReader(Span bytes, Depth depth)
      : WireReader(bytes, static_cast<size_t>(depth)) {}

  bool done() const { return position_ == end_; }
  const uint8_t* position() const { return position_; }
  const uint8_t* end() const { return end_; }
  /// `position` must not exceed the end.
  void MoveTo(const uint8_t* position) { position_ = position; }
  Span rest() const {
    return {position_, static_cast<size_t>(end_ - position_)};
  }

  /// Reads an integer of up to ten bytes. Accepts superfluous bytes and drops
  /// bits beyond 64.
  [[nodiscard]] bool Varint(uint64_t* value) {
    return ShortVarint(value) || LongVarint(value);
  }

  /// Reads a tag; its field number is 1 to 2^29 - 1.
  [[nodiscard]] bool Tag(uint32_t* tag) {
    if (position_ < end_ && static_cast<uint8_t>(*position_ - 8) < 0x78) {
      *tag = *position_++;
      return true;
    }
    return LongTag(tag);
  }

  /// Reads a length and that many bytes.
  [[nodiscard]] bool Bytes(Span* bytes) {
    const uint8_t* const start = position_;
    uint64_t size;
    if (!ShortVarint(&size) && !LongLength(&size)) return false;
    if (size > static_cast<size_t>(end_ - position_)) {
      position_ = start;
      return false;
    }
    *bytes = {position_, static_cast<size_t>(size)};
    position_ += size;
    return true;
  }

  /// Skips the value of an unused field.
  [[nodiscard]] bool Skip(uint32_t tag);

 private:
  /// Reads a varint of one or two bytes.
  bool ShortVarint(uint64_t* value) {
    if (position_ < end_ && *position_ < 0x80) {
      *value = *position_++;
      return true;
    }
    if (end_ - position_ >= 2 && position_[1] < 0x80) {
      *value = (position_[0] & 0x7fu) | uint64_t{position_[1]} << 7;
      position_ += 2;
      return true;
    }
    return false;
  }
  bool LongVarint(uint64_t* value);
  bool LongTag(uint32_t* tag);
  bool LongLength(uint64_t* size);
  /// Reads a number of at most five bytes that does not exceed `max`.
  bool Number32(uint64_t max, uint64_t* value);
  bool SkipGroup(uint32_t tag);
  /// Skips a value of any wire type but groups.
  bool SkipScalar(uint32_t tag);
  bool Advance(size_t count);

  const uint8_t* position_;
  const uint8_t* const end_;
  const size_t depth_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_WIRE_WIRE_H_
