#include "core/example/parse/row_lists.h"

#include <cstdint>
#include <vector>

#include "test/support/check.h"

namespace tfr::test {
namespace {

RowLists ListsOf(const std::vector<int32_t>& splits, size_t unit) {
  return {splits.data(), splits.size() - 1, unit};
}

TEST(FindsTheLongestRow) {
  const std::vector<int32_t> splits = {0, 2, 2, 9, 10};
  CHECK_EQ(LongestRow(ListsOf(splits, 1)), 7);
  CHECK_EQ(LongestRow({splits.data(), 0, 1}), 0);
}

TEST(RowsBeyondTheValuesOrTheWidthDoNotFit) {
  CHECK(RowsFit(ListsOf({0, 2, 5}, 2), 10, 6));
  CHECK(!RowsFit(ListsOf({0, 2, 5}, 2), 9, 6));
  CHECK(!RowsFit(ListsOf({0, 2, 5}, 2), 10, 5));
  CHECK(!RowsFit(ListsOf({-1, 2}, 1), 10, 10));
  CHECK(!RowsFit(ListsOf({0, 3, 2}, 1), 10, 10));
  CHECK(!RowsFit(ListsOf({0, INT32_MAX}, UINT32_MAX), 10, 10));
  CHECK(RowsFit(ListsOf({0}, 1), 0, 0));
}

/// Rows of different lengths, padded to `width`, with consecutive values.
template <class T>
void CheckPadding(size_t rows, size_t width, size_t unit, bool fill) {
  std::vector<int32_t> splits = {0};
  std::vector<T> values;
  std::vector<T> wanted(rows * width, fill ? 7 : 1);
  for (size_t row = 0; row < rows; ++row) {
    const size_t units = (row * 5 + 3) % (width / unit + 1);
    for (size_t i = 0; i < units * unit; ++i) {
      values.push_back(static_cast<T>(100 + values.size()));
      wanted[row * width + i] = values.back();
    }
    splits.push_back(splits.back() + static_cast<int32_t>(units));
  }
  const RowLists lists = ListsOf(splits, unit);
  REQUIRE(RowsFit(lists, values.size(), width));
  // Exactly enough room: sanitizers detect writes past the end.
  std::vector<T> to(rows * width, 1);
  const T padding = 7;
  PadRows(values.data(), lists, width, fill ? &padding : nullptr, to.data());
  CHECK(to == wanted);
}

TEST(PadsRows) {
  for (const size_t rows : {1, 2, 3, 100}) {
    for (const size_t width : {1, 2, 15, 16, 17, 33, 100}) {
      for (const bool fill : {false, true}) {
        CheckPadding<uint32_t>(rows, width, 1, fill);
        CheckPadding<uint64_t>(rows, width, 1, fill);
        if (width % 3 == 0) CheckPadding<uint64_t>(rows, width, 3, fill);
      }
    }
  }
}

}  // namespace
}  // namespace tfr::test
