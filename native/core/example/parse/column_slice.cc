#include "core/example/parse/column_slice.h"

#include <cstring>
#include <limits>

namespace tfr {
namespace {

/// Range from the first to the last of the positions at `places`.
Range Between(const TypedBuffer<int32_t>& positions, Range places) {
  if (positions.empty()) return {};
  return {static_cast<size_t>(positions.data()[places.begin]),
          static_cast<size_t>(positions.data()[places.end])};
}

}  // namespace

ColumnSlice SliceColumn(const ColumnPlan& plan, const ColumnData& data,
                        Range rows) {
  ColumnSlice slice;
  Range units = rows;
  if (plan.optional) {
    slice.present = units;
    units = Between(data.present, units);
  }
  if (plan.section == Section::kLists) {
    slice.steps = units;
    units = Between(data.steps, units);
  }
  if (plan.count == kAnyCount) {
    slice.splits = units;
    slice.values = Between(data.splits, units);
  } else {
    const auto count = static_cast<size_t>(plan.count);
    slice.values = {units.begin * count, units.end * count};
  }
  if (plan.kind == Kind::kBytes) {
    slice.bytes = Between(data.offsets, slice.values);
  }
  return slice;
}

void TruncateColumn(const ColumnPlan& plan, size_t rows, ColumnData* data) {
  const ColumnSlice kept = SliceColumn(plan, *data, {0, rows});
  if (plan.optional) data->present.Truncate(kept.present.end + 1);
  if (plan.section == Section::kLists) data->steps.Truncate(kept.steps.end + 1);
  if (plan.count == kAnyCount) data->splits.Truncate(kept.splits.end + 1);
  switch (plan.kind) {
    case Kind::kFloat:
      return data->floats.Truncate(kept.values.end);
    case Kind::kInt64:
      return data->ints.Truncate(kept.values.end);
    default:
      data->bytes.Truncate(kept.bytes.end);
      data->offsets.Truncate(kept.values.end + 1);
  }
}

bool CopyPositions(const TypedBuffer<int32_t>& positions, Range places,
                   int32_t base, int32_t* to) {
  if (positions.empty()) {
    *to = base;
    return true;
  }
  const int32_t* const from = positions.data() + places.begin;
  const size_t count = places.size() + 1;
  const int32_t first = from[0];
  if (first == base) {
    std::memcpy(to, from, count * sizeof(*to));
    return true;
  }
  if (from[count - 1] - first > std::numeric_limits<int32_t>::max() - base) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) to[i] = from[i] - first + base;
  return true;
}

}  // namespace tfr
