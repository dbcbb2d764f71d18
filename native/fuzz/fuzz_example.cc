// Parses records with the parser of Examples and the plain parser: columns and
// faults must be equal. Also decodes them both ways. The first bytes choose a
// plan, how the rest becomes records, how often those repeat, and how many are
// appended at a time.

#include <algorithm>

#include "example_grammar.h"
#include "fuzz_input.h"
#include "test/example/example_decodings.h"
#include "test/example/example_runs.h"

namespace {

using tfr::ColumnPlan;
using tfr::kAnyCount;
using tfr::Kind;
using tfr::Plan;
using tfr::Section;
using tfr::fuzz::ExampleGrammar;
using tfr::fuzz::Input;
using tfr::fuzz::Level;

using Columns = std::vector<ColumnPlan>;
using PlanPtr = std::shared_ptr<const Plan>;

ColumnPlan Any(std::string key, Kind kind, bool required = false) {
  return {std::move(key), Section::kFeatures, kind, kAnyCount, required, "",
          false};
}

ColumnPlan Fixed(std::string key, Kind kind, int64_t count,
                 std::string fallback = "") {
  return {std::move(key), Section::kFeatures,  kind, count,
          true,           std::move(fallback), false};
}

ColumnPlan List(std::string key, Kind kind, int64_t count, bool required) {
  return {std::move(key), Section::kLists, kind, count, required, "", false};
}

Columns AnyColumns() {
  return {Any("a", Kind::kInt64), Any("b", Kind::kFloat),
          Any("c", Kind::kBytes), Any("", Kind::kInt64)};
}

Columns FixedColumns() {
  using tfr::test::BytesFeature;
  using tfr::test::FloatFeature;
  using tfr::test::IntFeature;
  return {Fixed("a", Kind::kInt64, 1, IntFeature({-1})),
          Fixed("b", Kind::kFloat, 2, FloatFeature({1, 2})),
          Fixed("c", Kind::kBytes, 1, BytesFeature({"fallback"})),
          Fixed("d", Kind::kInt64, 2, IntFeature({300, 1LL << 60})),
          Fixed("longer than eight bytes", Kind::kInt64, 0, IntFeature({}))};
}

Columns RequiredColumns() {
  return {Any("a", Kind::kInt64, true), Fixed("b", Kind::kFloat, 1),
          Fixed("c", Kind::kBytes, 2), Fixed("k1", Kind::kInt64, 0)};
}

Columns ListColumns() {
  return {Any("a", Kind::kInt64), List("a", Kind::kInt64, kAnyCount, false),
          List("b", Kind::kFloat, kAnyCount, false),
          List("c", Kind::kBytes, kAnyCount, false)};
}

Columns FixedListColumns() {
  return {Fixed("a", Kind::kInt64, 1, tfr::test::IntFeature({5})),
          List("a", Kind::kInt64, 1, true), List("b", Kind::kFloat, 2, false),
          List("c", Kind::kBytes, 1, false), List("", Kind::kInt64, 0, false)};
}

/// Columns that tell absent features from empty ones.
Columns OptionalColumns() {
  Columns columns = {Any("a", Kind::kInt64),
                     Any("b", Kind::kFloat),
                     Fixed("c", Kind::kBytes, 1),
                     Fixed("d", Kind::kInt64, 1),
                     Fixed("k1", Kind::kFloat, 2),
                     List("a", Kind::kInt64, kAnyCount, false),
                     List("b", Kind::kFloat, 1, false)};
  for (ColumnPlan& column : columns) {
    column.required = false;
    column.optional = true;
  }
  return columns;
}

Columns ManyColumns(size_t count) {
  Columns columns;
  for (size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<Kind>(1 + i % 3);
    columns.push_back(Any("k" + std::to_string(i), kind));
  }
  return columns;
}

const std::vector<PlanPtr>& Plans() {
  const auto plan = [](Columns columns, bool sequence, bool numbers) {
    return std::make_shared<const Plan>(std::move(columns), sequence, numbers);
  };
  static const auto* const plans =
      new std::vector<PlanPtr>{plan({Any("a", Kind::kInt64)}, false, false),
                               plan(AnyColumns(), false, false),
                               plan(AnyColumns(), false, true),
                               plan(FixedColumns(), false, false),
                               plan(FixedColumns(), false, true),
                               plan(RequiredColumns(), false, false),
                               plan(RequiredColumns(), true, false),
                               plan(ListColumns(), true, false),
                               plan(OptionalColumns(), false, false),
                               plan(OptionalColumns(), true, true),
                               plan(ListColumns(), true, true),
                               plan(FixedListColumns(), true, false),
                               plan(FixedListColumns(), false, false),
                               plan(ManyColumns(32), false, false),
                               plan(ManyColumns(100), true, false),
                               plan({}, false, false)};
  return *plans;
}

/// Reads size-prefixed records, or generates them by the grammar.
std::vector<std::string> Records(bool grammar, Input* input, size_t size) {
  std::vector<std::string> records;
  if (grammar) {
    for (size_t i = 0; i < 8; ++i) {
      records.push_back(ExampleGrammar(input).Message(Level::kExample));
    }
    return records;
  }
  for (size_t used = 0; used < size;) {
    const size_t length = input->Byte() | size_t{input->Byte()} << 8;
    std::string record;
    for (used += 2; record.size() < length && used < size; ++used) {
      record += static_cast<char>(input->Byte());
    }
    records.push_back(std::move(record));
  }
  return records;
}

/// Repeats the records, as often as stays fast.
void Repeat(size_t times, size_t columns, std::vector<std::string>* records) {
  size_t cost = 1;
  for (const std::string& record : *records) cost += record.size() + columns;
  times = std::min(times, 12000 / cost);
  const size_t count = records->size();
  records->reserve(count * (times + 1));
  for (size_t i = 1; i < times; ++i) {
    for (size_t j = 0; j < count; ++j) records->push_back((*records)[j]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kHead = 3;
  if (size < kHead) return 0;
  constexpr size_t kTimes[] = {1, 2, 40, 1100};
  constexpr size_t kPieces[] = {100000, 1, 7, 50};
  Input input(data, size);
  const PlanPtr& plan = Plans()[input.Byte() % Plans().size()];
  const bool grammar = input.Byte() % 2 == 1;
  const uint8_t runs = input.Byte();
  auto records = Records(grammar, &input, size - kHead);
  for (const std::string& record : records) {
    const std::string difference = tfr::test::CompareDecoded(record);
    if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
    FUZZ_CHECK(difference.empty());
  }
  Repeat(kTimes[runs < 0xc0 ? 0 : runs % 4], plan->columns.size() + 4,
         &records);
  const std::string difference =
      tfr::test::Compare(plan, records, kPieces[runs / 4 % 4]);
  if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
  FUZZ_CHECK(difference.empty());
  return 0;
}
