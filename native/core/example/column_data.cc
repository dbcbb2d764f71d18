#include "core/example/column_data.h"

namespace tfr {

namespace {

/// Memory that a column may keep for the next batch.
constexpr size_t kKeptBytes = size_t{4} << 20;

/// To positions of nothing.
bool Restart(TypedBuffer<int32_t>* positions) {
  positions->Clear(kKeptBytes / sizeof(int32_t));
  return positions->Push(0);
}

}  // namespace

bool ColumnData::Clear(const ColumnPlan& plan) {
  // Only what is used: rows parsed one by one are cleared one by one.
  if (plan.section == Section::kLists && !Restart(&steps)) return false;
  if (plan.count == kAnyCount && !Restart(&splits)) return false;
  switch (plan.kind) {
    case Kind::kFloat:
      floats.Clear(kKeptBytes / sizeof(float));
      return true;
    case Kind::kInt64:
      ints.Clear(kKeptBytes / sizeof(int64_t));
      return true;
    default:
      bytes.Clear(kKeptBytes);
      return Restart(&offsets);
  }
}

}  // namespace tfr
