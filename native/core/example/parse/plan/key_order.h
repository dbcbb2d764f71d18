#ifndef TFR_CORE_EXAMPLE_PARSE_PLAN_KEY_ORDER_H_
#define TFR_CORE_EXAMPLE_PARSE_PLAN_KEY_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/example/parse/plan/key_table.h"

namespace tfr {

/// Finds columns by predicting that a record's keys come in the order of the
/// previous record, with the table as fallback. If a file's keys turn out to
/// have no order, uses only the table.
class KeyOrder {
 public:
  explicit KeyOrder(const KeyTable& table) : table_(table) {}

  /// True if the plan has no key in this section.
  bool idle() const { return table_.empty(); }

  /// Forgets whether the keys had an order, but keeps the learned order.
  void Restart() {
    records_ = misses_ = keys_ = next_ = 0;
    predicts_ = true;
  }

  void StartRecord() {
    keys_ += next_;
    next_ = 0;
    if (++records_ == kTrial && misses_ * 4 > keys_) predicts_ = false;
  }

  /// Reads map entries from `p` on while their keys are the predicted ones and
  /// they have the form that writers produce: key, value, nothing else,
  /// one-byte lengths. Calls `take(column, value)` for each. Returns the
  /// position after the last one.
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
    // A single missing feature must not spoil the prediction of those after it.
    if (Expects(next_ + 1, key)) {
      next_ += 2;
      return expected_[next_ - 1].column;
    }
    return Learn(key);
  }

 private:
  struct Expected {
    /// The bytes of an entry between its own length and its value's length: the
    /// key field and the value's tag.
    std::string middle;
    int32_t column;
  };
  /// Size of tag and length, of an entry and of its key.
  static constexpr size_t kBefore = 2;
  /// Records after which the prediction is judged.
  static constexpr size_t kTrial = 32;
  /// Maximum number of keys to remember: 700 kB.
  static constexpr size_t kMaxLearned = 4096;
  /// The table handles longer keys, whose length takes two bytes.
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

#endif  // TFR_CORE_EXAMPLE_PARSE_PLAN_KEY_ORDER_H_
