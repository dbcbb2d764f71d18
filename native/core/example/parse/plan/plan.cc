#include "core/example/parse/plan/plan.h"

#include <utility>

namespace tfr {

namespace {

KeyTable TableOf(const std::vector<ColumnPlan>& columns, Section section) {
  std::vector<KeyTable::Entry> entries;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].section != section) continue;
    entries.push_back({columns[i].key, static_cast<int32_t>(i)});
  }
  return KeyTable(entries);
}

}  // namespace

Plan::Plan(std::vector<ColumnPlan> wanted, bool sequence_examples, bool numbers)
    : columns(std::move(wanted)),
      sequence(sequence_examples),
      int64_as_number(numbers),
      features(TableOf(columns, Section::kFeatures)),
      lists(TableOf(columns, Section::kLists)) {}

}  // namespace tfr
