#ifndef TFR_CORE_EXAMPLE_PARSE_KEY_ORDER_H_
#define TFR_CORE_EXAMPLE_PARSE_KEY_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/example/parse/key_table.h"

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

  /// Reads the map entries from `p` on as long as their keys are those expected
  /// and they are as writers make them: key, value, nothing else, lengths of
  /// one byte. `take(column, value)` has each. What is behind the last of them.
  template <class Take>
  const uint8_t* Run(const uint8_t* p, const uint8_t* end, Take take) {
    if (!predicts_) return p;
    const Expected* const begin = expected_.data();
    const Expected* const last = begin + expected_.size();
    const Expected* expected = begin + next_;
    for (; expected != last; ++expected) {
      const size_t middle = expected->middle.size();
      if (static_cast<size_t>(end - p) < kBefore + middle + 1) break;
      const uint8_t* const data = p + kBefore + middle + 1;
      const size_t size = data[-1];
      const size_t entry = middle + 1 + size;
      if (p[0] != LengthTag(1) || p[1] != entry || entry >= 0x80 ||
          size > static_cast<size_t>(end - data) ||
          !Same(expected->middle.data(), p + kBefore, middle)) {
        break;
      }
      take(expected->column, Span{data, size});
      p = data + size;
    }
    next_ = static_cast<size_t>(expected - begin);
    return p;
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
    /// What an entry has between its own length and its value's: the key as a
    /// field, and the tag of the value.
    std::string middle;
    int32_t column;
  };
  /// Of an entry, its tag and its length; of `middle`, those of the key.
  static constexpr size_t kBefore = 2;
  /// Records before the expectation is judged.
  static constexpr size_t kTrial = 32;
  /// Most keys that are remembered of a file: 700 kB.
  static constexpr size_t kMaxLearned = 4096;
  /// Longer keys, with a length of two bytes, are left to the table.
  static constexpr size_t kMaxKeyBytes = 0x7f;

  bool Expects(size_t at, Span key) const {
    if (at >= expected_.size()) return false;
    const std::string& middle = expected_[at].middle;
    return middle.size() == kBefore + key.size + 1 &&
           Same(middle.data() + kBefore, key.data, key.size);
  }

  static bool Same(const char* expected, const uint8_t* b, size_t size) {
    const auto* const a = reinterpret_cast<const uint8_t*>(expected);
    if (size < 4) return std::memcmp(a, b, size) == 0;
    if (size < 8) {
      return LoadLE32(a) == LoadLE32(b) &&
             LoadLE32(a + size - 4) == LoadLE32(b + size - 4);
    }
    for (size_t i = 0; i + 8 < size; i += 8) {
      if (LoadLE64(a + i) != LoadLE64(b + i)) return false;
    }
    return LoadLE64(a + size - 8) == LoadLE64(b + size - 8);
  }

  int32_t Learn(Span key) {
    const int32_t column = table_.Find(key);
    if (key.size > kMaxKeyBytes || next_ == kMaxLearned) return column;
    ++misses_;
    if (next_ == expected_.size()) expected_.emplace_back();
    Expected& expected = expected_[next_++];
    expected.middle = {LengthTag(1), static_cast<char>(key.size)};
    expected.middle.append(reinterpret_cast<const char*>(key.data), key.size);
    expected.middle.push_back(LengthTag(2));
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

#endif  // TFR_CORE_EXAMPLE_PARSE_KEY_ORDER_H_
