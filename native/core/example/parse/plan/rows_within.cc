#include "core/example/parse/plan/rows_within.h"

#include <algorithm>

namespace tfr {
namespace {

/// Size of the values that a row has when its record lacks the feature.
uint64_t FallbackBytes(const ColumnPlan& plan) {
  const uint64_t size = plan.fallback.size();
  if (plan.count == kAnyCount || size == 0) return 0;
  // The message has at least one byte per value, so no product overflows.
  const uint64_t values = std::min(static_cast<uint64_t>(plan.count), size);
  switch (plan.kind) {
    case Kind::kFloat:
      return values * sizeof(float);
    case Kind::kInt64:
      return values * sizeof(int64_t);
    default:
      return values * sizeof(int32_t) + size;
  }
}

}  // namespace

size_t RowsWithin(const Plan& plan, uint64_t bytes, size_t most) {
  uint64_t row = 0;
  for (const ColumnPlan& column : plan.columns) {
    // A column may have a position per row.
    row += sizeof(int32_t) + FallbackBytes(column);
  }
  if (row == 0) return most;
  return static_cast<size_t>(std::clamp<uint64_t>(bytes / row, 1, most));
}

}  // namespace tfr
