#ifndef TFR_CORE_EXAMPLE_SURVEY_DISTINCT_VALUES_H_
#define TFR_CORE_EXAMPLE_SURVEY_DISTINCT_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/example/wire/wire.h"

namespace tfr {

/// Most different values that a set holds. A set that meets more forgets all,
/// and is `many()` from then on: what a set says does not depend on the order
/// of the values.
inline constexpr size_t kMostDistinct = 100;

/// Places of at most `kMostDistinct` values in a table of 256 slots.
class DistinctSlots {
 public:
  /// Calls `same(index)` for values with a similar hash until one returns true,
  /// and returns its index. If none does, returns -1 and `*slot`, where the new
  /// value's index plus one belongs.
  template <class Same>
  int Find(uint64_t hash, uint8_t** slot, Same same) {
    if (slots_.empty()) slots_.resize(kSlots);
    for (size_t at = hash >> 56;; at = (at + 1) % kSlots) {
      const uint8_t found = slots_[at];
      if (found == 0) {
        *slot = &slots_[at];
        return -1;
      }
      if (same(found - 1)) return found - 1;
    }
  }
  void Free() { std::vector<uint8_t>().swap(slots_); }

 private:
  static constexpr size_t kSlots = 256;
  std::vector<uint8_t> slots_;
};

/// A set of integers. Throws std::bad_alloc, as do the standard containers.
class DistinctInts {
 public:
  bool many() const { return many_; }
  /// In the order of their first appearance.
  const std::vector<int64_t>& values() const { return values_; }

  void Add(int64_t value) {
    if (many_) return;
    if (!values_.empty() && values_[last_] == value) return;
    Insert(value);
  }
  void Merge(const DistinctInts& other);

 private:
  void Insert(int64_t value);
  void Forget();

  DistinctSlots slots_;
  std::vector<int64_t> values_;
  /// Index of the value that was added last.
  size_t last_ = 0;
  bool many_ = false;
};

/// A set of byte strings, which is `many()`, too, when one is longer than
/// `kLongest` or all together are longer than `kMostBytes`.
class DistinctBytes {
 public:
  static constexpr size_t kLongest = 128;
  static constexpr size_t kMostBytes = 4096;

  bool many() const { return many_; }
  size_t size() const { return ends_.size(); }
  /// The values, one after another, in the order of their first appearance.
  const std::string& data() const { return data_; }
  /// The end of each in `data`.
  const std::vector<uint32_t>& ends() const { return ends_; }
  Span at(size_t index) const {
    const uint32_t begin = index == 0 ? 0 : ends_[index - 1];
    return {reinterpret_cast<const uint8_t*>(data_.data()) + begin,
            ends_[index] - begin};
  }

  void Add(Span value) {
    if (many_) return;
    if (!ends_.empty() && Is(last_, value)) return;
    Insert(value);
  }
  void Merge(const DistinctBytes& other);

 private:
  bool Is(size_t index, Span value) const;
  void Insert(Span value);
  void Forget();

  DistinctSlots slots_;
  std::string data_;
  std::vector<uint32_t> ends_;
  size_t last_ = 0;
  bool many_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_SURVEY_DISTINCT_VALUES_H_
