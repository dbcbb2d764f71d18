#include "core/example/column_data.h"

namespace tfr {

namespace {

/// Memory that a column may keep for the next batch.
constexpr size_t kKeptBytes = size_t{4} << 20;

template <class T>
bool Empty(TypedBuffer<T>* buffer, bool has_zero) {
  buffer->Clear(kKeptBytes / sizeof(T));
  return !has_zero || buffer->Push(0);
}

}  // namespace

bool ColumnData::Clear(const ColumnPlan& plan) {
  bytes.Clear(kKeptBytes);
  floats.Clear(kKeptBytes / sizeof(float));
  ints.Clear(kKeptBytes / sizeof(int64_t));
  return Empty(&steps, plan.section == Section::kLists) &&
         Empty(&splits, plan.count == kAnyCount) &&
         Empty(&offsets, plan.kind == Kind::kBytes);
}

void ColumnData::Truncate(const ColumnPlan& plan, size_t rows) {
  size_t count = rows;
  if (plan.section == Section::kLists) {
    count = static_cast<size_t>(steps.data()[rows]);
    steps.Truncate(rows + 1);
  }
  if (plan.count == kAnyCount) {
    const size_t parts = count;
    count = static_cast<size_t>(splits.data()[parts]);
    splits.Truncate(parts + 1);
  } else {
    count *= static_cast<size_t>(plan.count);
  }
  if (plan.kind == Kind::kFloat) {
    floats.Truncate(count);
  } else if (plan.kind == Kind::kInt64) {
    ints.Truncate(count);
  } else {
    bytes.Truncate(static_cast<size_t>(offsets.data()[count]));
    offsets.Truncate(count + 1);
  }
}

}  // namespace tfr
