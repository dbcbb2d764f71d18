#ifndef TFR_CORE_EXAMPLE_PARSE_ROW_LISTS_H_
#define TFR_CORE_EXAMPLE_PARSE_ROW_LISTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tfr {

/// Rows of concatenated values: row r has the units `splits[r]` to `splits[r +
/// 1]`, of `unit` values each.
struct RowLists {
  const int32_t* splits;
  size_t rows;
  size_t unit;
};

/// Number of units in the longest row.
inline int32_t LongestRow(const RowLists& lists) {
  const int32_t* const splits = lists.splits;
  int32_t longest = 0;
  for (size_t row = 0; row < lists.rows; ++row) {
    longest = std::max(longest, splits[row + 1] - splits[row]);
  }
  return longest;
}

/// True if the splits are valid for `values` values, and no row has more than
/// `width` values.
inline bool RowsFit(const RowLists& lists, size_t values, size_t width) {
  if (lists.rows == 0) return true;
  const int32_t* const splits = lists.splits;
  bool ascend = splits[0] >= 0;
  for (size_t row = 0; row < lists.rows; ++row) {
    ascend &= splits[row] <= splits[row + 1];
  }
  if (!ascend) return false;
  const auto last = static_cast<uint64_t>(splits[lists.rows]);
  const auto longest = static_cast<uint64_t>(LongestRow(lists));
  return last * lists.unit <= values && longest * lists.unit <= width;
}

/// Copies the rows to `to`, `width` values apart; they must fit. Fills the rest
/// of each row with `padding`, or leaves it unchanged if that is null.
template <class T>
void PadRows(const T* from, const RowLists& lists, size_t width,
             const T* padding, T* to) {
  for (size_t row = 0; row < lists.rows; ++row, to += width) {
    const int32_t* const split = lists.splits + row;
    const T* const values = from + static_cast<size_t>(*split) * lists.unit;
    const size_t count = static_cast<size_t>(split[1] - split[0]) * lists.unit;
    if (padding != nullptr) std::fill(to + count, to + width, *padding);
    if (count > 0) std::memcpy(to, values, count * sizeof(T));
  }
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_ROW_LISTS_H_
