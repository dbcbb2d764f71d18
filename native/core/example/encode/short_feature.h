#ifndef TFR_CORE_EXAMPLE_ENCODE_SHORT_FEATURE_H_
#define TFR_CORE_EXAMPLE_ENCODE_SHORT_FEATURE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tfr {

/// The entry of a feature with one packed chunk, or with one value of bytes, if
/// all its lengths take one byte. The bytes before the content are then
/// constant except for four lengths: `0a entry 0a key .. 12 feature kind list
/// 0a content`.
class ShortFeature {
 public:
  /// Number of bytes that `Write` may touch.
  static constexpr size_t kRoom = 64;

  /// `head`: the bytes between the entry's length and the feature's.
  ShortFeature(const std::vector<uint8_t>& head, uint8_t entry_tag,
               uint8_t kind_tag, uint8_t values_tag)
      : size_(kLengths + head.size()) {
    if (size_ > kRoom) return;
    uint8_t* p = bytes_;
    *p = entry_tag;
    p = std::copy(head.begin(), head.end(), p + 2);
    p[1] = kind_tag;
    p[3] = values_tag;
  }

  /// True if content of this size is short enough.
  bool Fits(uint64_t content) const {
    return size_ <= kRoom && size_ - 2 + content < 0x80;
  }

  /// Size of the entry, for content that fits.
  uint64_t EntrySize(uint64_t content) const { return size_ + content; }

  /// Writes the bytes before content that fits. Returns the position after
  /// them.
  uint8_t* Write(uint8_t* p, uint64_t content) const {
    std::memcpy(p, bytes_, kRoom / 2);
    if (size_ > kRoom / 2) {
      std::memcpy(p + kRoom / 2, bytes_ + kRoom / 2, kRoom / 2);
    }
    p[1] = static_cast<uint8_t>(size_ - 2 + content);
    p += size_;
    p[-5] = static_cast<uint8_t>(content + 4);
    p[-3] = static_cast<uint8_t>(content + 2);
    p[-1] = static_cast<uint8_t>(content);
    return p;
  }

 private:
  /// Size of the tags and lengths around the head.
  static constexpr size_t kLengths = 7;

  size_t size_;
  uint8_t bytes_[kRoom] = {};
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_SHORT_FEATURE_H_
