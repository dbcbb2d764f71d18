// Optional columns: absent features, empty ones, and those without a kind.

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

ColumnPlan Optional(ColumnPlan column) {
  column.required = false;
  column.optional = true;
  return column;
}

Strings ThreeRecords() {
  return {ExampleOf({Entry("a", IntFeature({1, 2}))}), ExampleOf({}),
          ExampleOf({Entry("a", IntFeature({}))}),
          ExampleOf({Entry("a", std::string())}),
          ExampleOf({Entry("a", IntFeature({3}))})};
}

TEST(AnyNumberOfValues) {
  const auto plan = ExamplePlan({Optional(VarLen("a", Kind::kInt64))});
  const Parsed parsed(plan, ThreeRecords());
  CHECK_EQ(parsed.rows(), 5u);
  CHECK(parsed.Present() == Int32s({0, 1, 1, 2, 2, 3}));
  CHECK(parsed.Splits(0) == Int32s({0, 2, 2, 3}));
  CHECK(parsed.Ints(0) == Int64s({1, 2, 3}));
}

TEST(OneValue) {
  const auto plan = ExamplePlan({Optional(FixedLen("a", Kind::kBytes, 1))});
  const Parsed parsed(plan, {ExampleOf({Entry("a", BytesFeature({"x"}))}),
                             ExampleOf({Entry("a", BytesFeature({""}))}),
                             ExampleOf({}), ExampleOf({Entry("a", "")}),
                             ExampleOf({Entry("a", BytesFeature({"yz"}))})});
  CHECK_EQ(parsed.rows(), 5u);
  CHECK(parsed.Present() == Int32s({0, 1, 2, 2, 2, 3}));
  CHECK(parsed.Bytes(0) == Strings({"x", "", "yz"}));
}

TEST(AnotherCountIsAFault) {
  const auto plan = ExamplePlan({Optional(FixedLen("a", Kind::kInt64, 1))});
  for (const auto& values : {Int64s({}), Int64s({1, 2})}) {
    const Parsed parsed(plan, {ExampleOf({Entry("a", IntFeature({7}))}),
                               ExampleOf({Entry("a", IntFeature(values))})});
    CHECK_EQ(parsed.rows(), 1u);
    CHECK_EQ(parsed.fault().code, ParseFaultCode::kCount);
    CHECK_EQ(parsed.fault().found, values.size());
  }
}

TEST(AnotherKindIsAFault) {
  const auto plan = ExamplePlan({Optional(VarLen("a", Kind::kInt64))});
  const Parsed parsed(plan, {ExampleOf({Entry("a", FloatFeature({1}))})});
  CHECK_EQ(parsed.fault().code, ParseFaultCode::kKind);
}

TEST(ContextsToo) {
  const auto plan = SequencePlan({Optional(VarLen("a", Kind::kInt64))});
  const Parsed parsed(plan, {SequenceOf({Entry("a", IntFeature({}))}, {}),
                             SequenceOf({Entry("a", std::string())}, {}),
                             SequenceOf({Entry("a", IntFeature({4}))}, {})});
  CHECK(parsed.Present() == Int32s({0, 1, 1, 2}));
  CHECK(parsed.Splits(0) == Int32s({0, 0, 1}));
}

TEST(Lists) {
  for (const bool any : {true, false}) {
    const auto plan = SequencePlan(
        {Optional(any ? VarLen("a", Kind::kInt64, Section::kLists)
                      : FixedLen("a", Kind::kInt64, 1, "", Section::kLists))});
    const auto list = [](const Strings& steps) {
      return SequenceOf({}, {Entry("a", FeatureList(steps))});
    };
    const Parsed parsed(
        plan, {list({IntFeature({1}), IntFeature({2})}), SequenceOf({}, {}),
               list({}), list({IntFeature({3})})});
    CHECK_EQ(parsed.rows(), 4u);
    CHECK(parsed.Present() == Int32s({0, 1, 1, 2, 3}));
    CHECK(parsed.Steps() == Int32s({0, 2, 2, 3}));
    CHECK(parsed.Ints() == Int64s({1, 2, 3}));
    if (any) CHECK(parsed.Splits() == Int32s({0, 1, 2, 3}));
  }
}

}  // namespace
}  // namespace tfr::test
