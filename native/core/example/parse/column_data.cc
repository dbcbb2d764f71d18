#include "core/example/parse/column_data.h"

namespace tfr {

namespace {

/// Resets `positions` to a single 0.
bool Restart(TypedBuffer<int32_t>* positions, size_t keep) {
  positions->Clear(keep / sizeof(int32_t));
  return positions->Push(0);
}

}  // namespace

bool ColumnData::Clear(const ColumnPlan& plan, size_t keep) {
  // Clears only what the plan uses: rows parsed one by one clear for every row.
  if (plan.optional && !Restart(&present, keep)) return false;
  if (plan.section == Section::kLists && !Restart(&steps, keep)) return false;
  if (plan.count == kAnyCount && !Restart(&splits, keep)) return false;
  switch (plan.kind) {
    case Kind::kFloat:
      floats.Clear(keep / sizeof(float));
      return true;
    case Kind::kInt64:
      ints.Clear(keep / sizeof(int64_t));
      return true;
    default:
      bytes.Clear(keep);
      return Restart(&offsets, keep);
  }
}

size_t ColumnData::HeldBytes() const {
  return present.held_bytes() + steps.held_bytes() + splits.held_bytes() +
         offsets.held_bytes() + bytes.held_bytes() + floats.held_bytes() +
         ints.held_bytes();
}

}  // namespace tfr
