#ifndef TFR_CORE_EXAMPLE_KEY_ORDER_H_
#define TFR_CORE_EXAMPLE_KEY_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/example/key_table.h"

namespace tfr {

/// Finds columns by the expectation that the keys of a record come in the order
/// of the record before, with the table behind it. Files whose keys come in
/// any order are noticed, and left to the table.
class KeyOrder {
 public:
  explicit KeyOrder(const KeyTable& table) : table_(table) {}

  /// Nobody asks for a key of this section.
  bool idle() const { return table_.empty(); }

  /// Judges anew whether there is an order; the one that was learned stays.
  void Restart() {
    records_ = misses_ = keys_ = next_ = 0;
    predicts_ = true;
  }

  void StartRecord() {
    keys_ += next_;
    next_ = 0;
    if (++records_ == kTrial && misses_ * 4 > keys_) predicts_ = false;
  }

  int32_t Find(Span key) {
    if (!predicts_) return table_.Find(key);
    if (Expects(next_, key)) return expected_[next_++].column;
    // One feature that is missing here must not spoil those behind it.
    if (Expects(next_ + 1, key)) {
      next_ += 2;
      return expected_[next_ - 1].column;
    }
    return Learn(key);
  }

 private:
  struct Expected {
    std::string key;
    int32_t column;
  };
  /// Records before the expectation is judged.
  static constexpr size_t kTrial = 32;
  static constexpr size_t kMaxLearned = 256;
  /// Longer keys are left to the table.
  static constexpr size_t kMaxKeyBytes = 256;

  bool Expects(size_t at, Span key) const {
    return at < expected_.size() && Same(expected_[at].key, key);
  }

  static bool Same(const std::string& expected, Span key) {
    if (expected.size() != key.size) return false;
    const auto* const a = reinterpret_cast<const uint8_t*>(expected.data());
    const uint8_t* const b = key.data;
    if (key.size < 4) return std::memcmp(a, b, key.size) == 0;
    if (key.size < 8) {
      return LoadLE32(a) == LoadLE32(b) &&
             LoadLE32(a + key.size - 4) == LoadLE32(b + key.size - 4);
    }
    for (size_t i = 0; i + 8 < key.size; i += 8) {
      if (LoadLE64(a + i) != LoadLE64(b + i)) return false;
    }
    return LoadLE64(a + key.size - 8) == LoadLE64(b + key.size - 8);
  }

  int32_t Learn(Span key) {
    ++misses_;
    const int32_t column = table_.Find(key);
    if (key.size > kMaxKeyBytes || next_ == kMaxLearned) return column;
    if (next_ == expected_.size()) expected_.emplace_back();
    Expected& expected = expected_[next_++];
    expected.key.assign(reinterpret_cast<const char*>(key.data), key.size);
    expected.column = column;
    return column;
  }

  const KeyTable& table_;
  std::vector<Expected> expected_;
  size_t next_ = 0;
  size_t records_ = 0;
  size_t keys_ = 0;
  size_t misses_ = 0;
  bool predicts_ = true;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_KEY_ORDER_H_
