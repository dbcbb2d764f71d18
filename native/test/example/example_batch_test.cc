// Many records: groups, key orders, pieces, and faults among them.

#include <algorithm>
#include <random>

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

const PlanPtr& ThreePlan() {
  static const PlanPtr* const plan = new PlanPtr(
      ExamplePlan({FixedLen("id", Kind::kInt64, 1), VarLen("w", Kind::kFloat),
                   VarLen("tag", Kind::kBytes)}));
  return *plan;
}

std::string RecordOf(int64_t id) {
  FloatVector floats(static_cast<size_t>(id % 4), 0.5F);
  Strings tags(static_cast<size_t>(id % 3), std::to_string(id));
  return ExampleOf(
      {Entry("id", IntFeature({id})), Entry("nobody asks", IntFeature({1})),
       Entry("w", FloatFeature(floats)), Entry("tag", BytesFeature(tags))});
}

Strings RecordsOf(size_t count) {
  Strings records;
  for (size_t i = 0; i < count; ++i) {
    records.push_back(RecordOf(static_cast<int64_t>(i)));
  }
  return records;
}

TEST(NoRecords) {
  const Parsed parsed(ThreePlan(), {});
  CHECK_EQ(parsed.rows(), 0u);
  CHECK(!parsed.fault());
  CHECK(parsed.Splits(1) == Int32s({0}));
}

TEST(NoColumns) {
  const Parsed parsed(ExamplePlan({}), {RecordOf(1), "", "\x0a", RecordOf(2)});
  CHECK_EQ(parsed.rows(), 2u);
  CHECK_EQ(parsed.fault().code, ParseFaultCode::kMalformed);
}

TEST(GroupsAreCrossed) {
  for (const size_t count : {1023, 1024, 1025, 2048, 3000}) {
    const Parsed parsed(ThreePlan(), RecordsOf(count));
    CHECK_EQ(parsed.rows(), count);
    CHECK_EQ(parsed.Ints(0).back(), static_cast<int64_t>(count) - 1);
  }
}

TEST(FaultsAnywhereInAGroup) {
  const auto records = RecordsOf(2100);
  for (const size_t at : {0, 1, 1022, 1023, 1024, 1025, 2047, 2048, 2099}) {
    for (const auto& bad : {std::string("\x0a"), std::string(),
                            ExampleOf({Entry("id", IntFeature({1})),
                                       Entry("tag", FloatFeature({1}))})}) {
      auto damaged = records;
      damaged[at] = bad;
      BatchParser parser(ThreePlan());
      REQUIRE(parser.Clear());
      const Slab slab(damaged);
      ParseFault fault;
      CHECK_EQ(parser.Append(slab.data(), slab.size(), slab.frames().data(),
                             damaged.size(), &fault),
               at);
      CHECK(fault);
      CHECK_EQ(parser.rows(), at);
      CHECK_EQ(parser.column(0).ints.size(), at);
      CHECK_EQ(parser.column(1).splits.size(), at + 1);
    }
  }
}

TEST(FaultsOfSeveralColumnsInOneGroup) {
  const auto plan =
      NumberPlan({VarLen("a", Kind::kInt64), VarLen("b", Kind::kFloat),
                  VarLen("c", Kind::kInt64)});
  const auto a = ExampleOf({Entry("a", IntFeature({int64_t{1} << 60}))});
  const auto b = ExampleOf({Entry("b", IntFeature({1}))});
  const auto c = ExampleOf({Entry("c", IntFeature({int64_t{1} << 61}))});
  const auto good = ExampleOf({Entry("a", IntFeature({1}))});
  Strings bad = {a, b, c, "\xff", good};
  std::sort(bad.begin(), bad.end());
  do {
    Strings records = {good, good};
    records.insert(records.end(), bad.begin(), bad.end());
    CHECK_EQ(CompareAll(plan, records), "");
  } while (std::next_permutation(bad.begin(), bad.end()));
}

TEST(ManyFaultsArePassedOver) {
  auto records = RecordsOf(3000);
  for (size_t i = 0; i < records.size(); i += 1 + i % 7) records[i] = "\x0a";
  CHECK_EQ(CompareAll(ThreePlan(), records), "");
}

TEST(ShuffledKeys) {
  std::mt19937 random(1);
  std::vector<ColumnPlan> columns;
  columns.reserve(20);
  for (int i = 0; i < 20; ++i) {
    columns.push_back(VarLen("key " + std::to_string(i), Kind::kInt64));
  }
  Strings records;
  for (int64_t n = 0; n < 500; ++n) {
    Strings entries;
    for (int64_t i = 0; i < 24; ++i) {
      if (random() % 5 == 0) continue;
      entries.push_back(
          Entry("key " + std::to_string(i), IntFeature({n * 100 + i})));
    }
    // In order while the parser learns the order, then shuffled.
    if (n >= 200) std::shuffle(entries.begin(), entries.end(), random);
    records.push_back(ExampleOf(entries));
  }
  CHECK_EQ(CompareAll(ExamplePlan(columns), records), "");
  std::reverse(records.begin(), records.end());
  CHECK_EQ(CompareAll(ExamplePlan(columns), records), "");
}

TEST(HundredsOfColumns) {
  for (const size_t count : {300, 1500}) {
    std::vector<ColumnPlan> columns;
    Strings entries;
    for (size_t i = 0; i < count; ++i) {
      const auto key = "column/" + std::to_string(i);
      columns.push_back(FixedLen(key, Kind::kInt64, 1, IntFeature({-1})));
      if (i % 10 == 3) continue;
      entries.push_back(Entry(key, IntFeature({static_cast<int64_t>(i)})));
    }
    Strings records(70, ExampleOf(entries));
    std::reverse(entries.begin(), entries.end());
    records.resize(90, ExampleOf(entries));
    const auto plan = ExamplePlan(columns);
    CHECK_EQ(Compare(plan, records, records.size()), "");
    CHECK_EQ(Compare(plan, records, 19), "");
  }
}

TEST(TruncateKeepsTheFirstRows) {
  const auto plan =
      SequencePlan({VarLen("id", Kind::kInt64), VarLen("w", Kind::kFloat),
                    VarLen("tag", Kind::kBytes),
                    VarLen("id", Kind::kInt64, Section::kLists)});
  Strings records = RecordsOf(40);
  const auto list = FeatureList({IntFeature({1}), IntFeature({2, 3})});
  for (auto& record : records) record += Field(2, Entry("id", list));
  const Slab slab(records);
  for (const size_t keep : {0, 1, 17, 40}) {
    BatchParser parser(plan);
    PlainParser plain(*plan);
    REQUIRE(parser.Clear());
    ParseFault fault;
    parser.Append(slab.data(), slab.size(), slab.frames().data(), 40, &fault);
    parser.Truncate(keep);
    for (size_t i = 0; i < keep; ++i) plain.Append(records[i]);
    CHECK_EQ(Difference(parser, plain), "");
    // The parser can continue from there.
    parser.Append(slab.data(), slab.size(), slab.frames().data(), 1, &fault);
    plain.Append(records[0]);
    CHECK_EQ(Difference(parser, plain), "");
  }
}

TEST(ClearedParserStartsOver) {
  BatchParser parser(ThreePlan());
  for (size_t count : {2000, 3, 1100}) {
    const auto records = RecordsOf(count);
    const Slab slab(records);
    PlainParser plain(*ThreePlan());
    ParseFault fault;
    REQUIRE(parser.Clear());
    CHECK_EQ(parser.Append(slab.data(), slab.size(), slab.frames().data(),
                           count, &fault),
             count);
    for (const auto& record : records) plain.Append(record);
    CHECK_EQ(Difference(parser, plain), "");
  }
}

}  // namespace
}  // namespace tfr::test
