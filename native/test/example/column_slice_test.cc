#include "core/example/parse/column_slice.h"

#include <vector>

#include "test/support/check.h"

namespace tfr {
namespace {

ColumnPlan PlanOf(Section section, Kind kind, int64_t count) {
  ColumnPlan plan;
  plan.section = section;
  plan.kind = kind;
  plan.count = count;
  return plan;
}

void Fill(TypedBuffer<int32_t>* positions, const std::vector<int32_t>& values) {
  for (const int32_t value : values) REQUIRE(positions->Push(value));
}

void CheckRange(Range range, size_t begin, size_t end) {
  CHECK_EQ(range.begin, begin);
  CHECK_EQ(range.end, end);
}

TEST(RowsOfAFixedCount) {
  const ColumnPlan plan = PlanOf(Section::kFeatures, Kind::kInt64, 3);
  const ColumnSlice slice = SliceColumn(plan, ColumnData(), {2, 5});
  CheckRange(slice.values, 6, 15);
  CheckRange(slice.splits, 0, 0);
}

TEST(RowsOfListsOfBytes) {
  const ColumnPlan plan = PlanOf(Section::kLists, Kind::kBytes, kAnyCount);
  ColumnData data;
  // Steps, values and bytes of four rows with 2, 0, 1 and 2 steps.
  Fill(&data.steps, {0, 2, 2, 3, 5});
  Fill(&data.splits, {0, 1, 3, 3, 4, 4});
  Fill(&data.offsets, {0, 10, 10, 25, 31});
  const ColumnSlice middle = SliceColumn(plan, data, {1, 4});
  CheckRange(middle.steps, 1, 4);
  CheckRange(middle.splits, 2, 5);
  CheckRange(middle.values, 3, 4);
  CheckRange(middle.bytes, 25, 31);
  const ColumnSlice none = SliceColumn(plan, data, {1, 2});
  CheckRange(none.splits, 2, 2);
  CheckRange(none.bytes, 25, 25);
  const ColumnSlice all = SliceColumn(plan, data, {0, 4});
  CheckRange(all.steps, 0, 4);
  CheckRange(all.bytes, 0, 31);
}

TEST(EmptyPositionsCopyTheBase) {
  TypedBuffer<int32_t> positions;
  Fill(&positions, {0, 2, 2, 3, 5});
  std::vector<int32_t> copy(3);
  CHECK(CopyPositions(positions, {2, 4}, 0, copy.data()));
  CHECK(copy == (std::vector<int32_t>{0, 1, 3}));
  CHECK(CopyPositions(positions, {0, 2}, 0, copy.data()));
  CHECK(copy == (std::vector<int32_t>{0, 2, 2}));
}

TEST(PositionsContinueFromABase) {
  TypedBuffer<int32_t> positions;
  Fill(&positions, {0, 2, 2, 3, 5});
  std::vector<int32_t> copy(3);
  CHECK(CopyPositions(positions, {2, 4}, 2, copy.data()));
  CHECK(copy == (std::vector<int32_t>{2, 3, 5}));
  CHECK(CopyPositions(positions, {2, 4}, 7, copy.data()));
  CHECK(copy == (std::vector<int32_t>{7, 8, 10}));
  // The last position is 3 more than the first.
  CHECK(CopyPositions(positions, {2, 4}, 0x7fffffff - 3, copy.data()));
  CHECK_EQ(copy.back(), 0x7fffffff);
  CHECK(!CopyPositions(positions, {2, 4}, 0x7fffffff - 2, copy.data()));
}

TEST(UnusedColumnsGiveEmptySlices) {
  const ColumnPlan plan = PlanOf(Section::kLists, Kind::kBytes, kAnyCount);
  const ColumnSlice slice = SliceColumn(plan, ColumnData(), {0, 0});
  CheckRange(slice.values, 0, 0);
  CheckRange(slice.bytes, 0, 0);
  int32_t first = 7;
  CHECK(CopyPositions(TypedBuffer<int32_t>(), {0, 0}, 0, &first));
  CHECK_EQ(first, 0);
  CHECK(CopyPositions(TypedBuffer<int32_t>(), {0, 0}, 5, &first));
  CHECK_EQ(first, 5);
}

}  // namespace
}  // namespace tfr
