#include "duckdb/text_faults.h"

#include <algorithm>

#include "core/base/text.h"

namespace tfr::duckdb {
namespace {

bool IsText(Span value) {
  return TextKindOf(value.data, value.size) != TextKind::kBinary;
}

/// The index of the item that has position `at`.
size_t ItemAt(const TypedBuffer<int32_t>& starts, size_t at) {
  return static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(),
                                              static_cast<int32_t>(at)) -
                             starts.begin()) -
         1;
}

size_t RowOf(const ColumnPlan& plan, const ColumnData& data, size_t value) {
  size_t item = plan.count == kAnyCount
                    ? ItemAt(data.splits, value)
                    : value / static_cast<size_t>(plan.count);
  if (plan.section == Section::kLists) item = ItemAt(data.steps, item);
  return plan.optional ? ItemAt(data.present, item) : item;
}

/// True if all texts are UTF-8, by one look at all of them together.
bool AreText(const ColumnData& data) {
  const ByteStore& bytes = data.bytes;
  if (bytes.refers()) return false;
  if (!IsText({bytes.data(), bytes.size()})) return false;
  // No text may begin within a character.
  return std::none_of(
      data.offsets.begin(), data.offsets.end(), [&](int32_t offset) {
        const auto at = static_cast<size_t>(offset);
        return at < bytes.size() && (bytes.data()[at] & 0xc0) == 0x80;
      });
}

}  // namespace

std::vector<TextFault> FindTextFaults(const BatchParser& parser,
                                      const std::vector<uint32_t>& texts) {
  std::vector<TextFault> faults;
  for (const uint32_t column : texts) {
    const ColumnData& data = parser.column(column);
    if (data.offsets.size() < 2 || AreText(data)) continue;
    const ColumnPlan& plan = parser.plan().columns[column];
    data.bytes.Each(data.offsets.data(), 0, data.offsets.size() - 1,
                    [&](size_t i, Span value) {
                      if (IsText(value)) return true;
                      const size_t row = RowOf(plan, data, i);
                      if (faults.empty() || faults.back().row != row ||
                          faults.back().column != column) {
                        faults.push_back({row, column, value.size});
                      }
                      return true;
                    });
  }
  std::sort(faults.begin(), faults.end(),
            [](const TextFault& a, const TextFault& b) {
              return a.row < b.row || (a.row == b.row && a.column < b.column);
            });
  const auto end = std::unique(
      faults.begin(), faults.end(),
      [](const TextFault& a, const TextFault& b) { return a.row == b.row; });
  faults.erase(end, faults.end());
  return faults;
}

}  // namespace tfr::duckdb
