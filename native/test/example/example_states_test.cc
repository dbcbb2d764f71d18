// The states of a feature in an Example, the result of each under a plan, and
// the fault reported for a record with several.

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

const std::string kMissing = ExampleOf({Entry("z", IntFeature({1}))});
const std::string kKindless = ExampleOf({Entry("a", "")});
const std::string kEmptyInts = ExampleOf({Entry("a", Field(3, ""))});
const std::string kEmptyFloats = ExampleOf({Entry("a", Field(2, ""))});

ParseFault FaultOf(const PlanPtr& plan, const std::string& record) {
  const Parsed parsed(plan, {record});
  CHECK_EQ(parsed.rows(), 0u);
  return parsed.fault();
}

ParseFault FaultOf(const ColumnPlan& column, const std::string& record) {
  return FaultOf(ExamplePlan({column}), record);
}

TEST(FixedLenWithoutDefault) {
  const auto a = FixedLen("a", Kind::kInt64, 1);
  CHECK_EQ(FaultOf(a, kMissing).code, ParseFaultCode::kMissing);
  CHECK_EQ(FaultOf(a, kKindless).code, ParseFaultCode::kKindless);
  CHECK_EQ(FaultOf(a, kEmptyInts).code, ParseFaultCode::kCount);
  CHECK_EQ(FaultOf(a, kEmptyInts).found, 0u);
  CHECK_EQ(FaultOf(a, kEmptyFloats).code, ParseFaultCode::kKind);
  CHECK_EQ(FaultOf(a, kEmptyFloats).found_kind, Kind::kFloat);
  CHECK_EQ(FaultOf(a, kEmptyFloats).column, 0u);
}

TEST(FixedLenWithDefault) {
  const auto a = FixedLen("a", Kind::kInt64, 2, IntFeature({7, 8}));
  for (const auto& record : {kMissing, kKindless, std::string()}) {
    CHECK(Parsed(ExamplePlan({a}), {record}).Ints() == Int64s({7, 8}));
  }
  // The default replaces only a whole feature.
  CHECK_EQ(FaultOf(a, kEmptyInts).code, ParseFaultCode::kCount);
  CHECK_EQ(FaultOf(a, ExampleOf({Entry("a", IntFeature({1}))})).found, 1u);
  CHECK_EQ(FaultOf(a, kEmptyFloats).code, ParseFaultCode::kKind);
}

TEST(DefaultsOfEveryKind) {
  const auto plan =
      ExamplePlan({FixedLen("a", Kind::kBytes, 2,
                            BytesFeature({"x", std::string(40, 'y')})),
                   FixedLen("b", Kind::kFloat, 1, FloatFeature({0.5})),
                   FixedLen("c", Kind::kInt64, 1, IntFeature({-1}))});
  const Parsed parsed(plan, {"", ExampleOf({Entry("c", IntFeature({4}))}), ""});
  const std::string y(40, 'y');
  CHECK(parsed.Bytes(0) == Strings({"x", y, "x", y, "x", y}));
  CHECK(parsed.Floats(1) == FloatVector({0.5, 0.5, 0.5}));
  CHECK(parsed.Ints(2) == Int64s({-1, 4, -1}));
}

TEST(ShapesWithoutElements) {
  const auto a = FixedLen("a", Kind::kInt64, 0);
  CHECK_EQ(Parsed(ExamplePlan({a}), {kEmptyInts}).rows(), 1u);
  CHECK_EQ(FaultOf(a, kMissing).code, ParseFaultCode::kMissing);
  CHECK_EQ(FaultOf(a, kKindless).code, ParseFaultCode::kKindless);
}

TEST(AnyCount) {
  const Parsed parsed(
      ExamplePlan({VarLen("a", Kind::kInt64)}),
      {kMissing, kKindless, kEmptyInts,
       ExampleOf({Entry("a", IntFeature({4}))}), kEmptyFloats, kMissing});
  CHECK_EQ(parsed.rows(), 4u);
  CHECK(parsed.Splits() == Int32s({0, 0, 0, 0, 1}));
  CHECK_EQ(parsed.fault().code, ParseFaultCode::kKind);
}

TEST(AnyCountThatIsRequired) {
  auto a = VarLen("a", Kind::kInt64);
  a.required = true;
  CHECK_EQ(FaultOf(a, kMissing).code, ParseFaultCode::kMissing);
  CHECK_EQ(FaultOf(a, kKindless).code, ParseFaultCode::kKindless);
  CHECK(Parsed(ExamplePlan({a}), {kEmptyInts}).Splits() == Int32s({0, 0}));
}

TEST(WorkedExampleOfThreeRecords) {
  const auto plan =
      ExamplePlan({FixedLen("id", Kind::kInt64, 1), VarLen("w", Kind::kFloat),
                   VarLen("tag", Kind::kBytes)});
  const Parsed parsed(
      plan,
      {Unhex("0a320a0b0a02696412051a030a01070a110a0177120c120a0a080000003f0000"
             "00400a100a0374616712090a070a01780a02797a"),
       Unhex("0a140a0b0a02696412051a030a01080a050a01771200"),
       Unhex("0a270a0b0a02696412051a030a01090a0d0a0177120812060a04000080400a09"
             "0a0374616712020a00")});
  CHECK_EQ(parsed.rows(), 3u);
  CHECK(parsed.Ints(0) == Int64s({7, 8, 9}));
  CHECK(parsed.Floats(1) == FloatVector({0.5, 2, 4}));
  CHECK(parsed.Splits(1) == Int32s({0, 2, 2, 3}));
  CHECK(parsed.Bytes(2) == Strings({"x", "yz"}));
  // A list that is present and empty: a BytesList without values.
  CHECK(parsed.Splits(2) == Int32s({0, 2, 2, 2}));
}

TEST(LongerThanTheShape) {
  const Int64s many(200000, 3);
  const FloatVector floats(200000, 3);
  const auto ints = Entry("a", Field(3, UnpackedInts(many)));
  CHECK_EQ(FaultOf(FixedLen("a", Kind::kInt64, 2), ExampleOf({ints})).found,
           200000u);
  const auto unpacked = Entry("a", Field(2, UnpackedFloats(floats)));
  CHECK_EQ(FaultOf(FixedLen("a", Kind::kFloat, 2), ExampleOf({unpacked})).found,
           200000u);
}

TEST(IntsAsNumbers) {
  constexpr int64_t kMost = (int64_t{1} << 53) - 1;
  const auto plan =
      NumberPlan({VarLen("b", Kind::kFloat), VarLen("a", Kind::kInt64)});
  const auto record = [](const Int64s& values) {
    return ExampleOf({Entry("a", IntFeature(values))});
  };
  const Parsed parsed(plan, {record({0, -1, kMost}), record({-kMost, 5}),
                             record({1, kMost + 1, -kMost - 1}), record({1})});
  CHECK_EQ(parsed.rows(), 2u);
  CHECK_EQ(parsed.fault().code, ParseFaultCode::kInexact);
  CHECK_EQ(parsed.fault().column, 1u);
  CHECK_EQ(parsed.fault().found, static_cast<uint64_t>(kMost + 1));
  std::vector<double> doubles(5);
  const auto ints = parsed.Ints(1);
  REQUIRE_EQ(ints.size(), 5u);
  std::memcpy(doubles.data(), ints.data(), 5 * sizeof(double));
  CHECK(doubles ==
        std::vector<double>({0, -1, 9007199254740991., -9007199254740991., 5}));
  CHECK_EQ(Parsed(plan, {record({-kMost - 1})}).fault().found,
           static_cast<uint64_t>(-kMost - 1));
}

TEST(FaultsFromTheLastFeatureToTheFirst) {
  const auto plan = ExamplePlan(
      {FixedLen("a", Kind::kInt64, 1), FixedLen("b", Kind::kInt64, 1),
       FixedLen("y", Kind::kInt64, 1), FixedLen("x", Kind::kInt64, 1)});
  const auto wrong = FloatFeature({1});
  const auto right = IntFeature({1});
  const auto column = [&](const std::vector<std::string>& entries) {
    return FaultOf(plan, ExampleOf(entries)).column;
  };
  CHECK_EQ(column({Entry("a", wrong), Entry("b", wrong)}), 1u);
  CHECK_EQ(column({Entry("b", wrong), Entry("a", wrong)}), 0u);
  // Missing features come last, by name; also those without a kind.
  CHECK_EQ(column({Entry("a", right), Entry("b", right)}), 3u);
  CHECK_EQ(column({Entry("a", wrong), Entry("y", "")}), 0u);
  CHECK_EQ(column({Entry("a", right), Entry("b", right), Entry("x", right)}),
           2u);
  CHECK_EQ(column({Entry("x", ""), Entry("y", "")}), 0u);
  // A split value has the position of its entry.
  const auto split = Field(
      1, Field(1, "a") + Field(2, IntFeature({1})) + Field(2, IntFeature({1})));
  CHECK_EQ(column({split, Entry("b", wrong)}), 1u);
  CHECK_EQ(column({Entry("b", wrong), split}), 0u);
}

TEST(BytesAroundTheFeaturesComeFirst) {
  const auto a = FixedLen("a", Kind::kInt64, 1);
  const auto record = ExampleOf({Entry("a", FloatFeature({1}))}) + "\x0a\x7f";
  const ParseFault fault = FaultOf(a, record);
  CHECK_EQ(fault.code, ParseFaultCode::kMalformed);
  CHECK_EQ(fault.column, kNoColumn);
  CHECK_EQ(fault.byte, record.size() - 1);
}

TEST(PositionOfMalformedBytes) {
  const auto record = ExampleOf({Entry("a", Field(3, "\x0a\x02\x01\x80"))});
  const ParseFault fault = FaultOf(FixedLen("a", Kind::kInt64, 1), record);
  CHECK_EQ(fault.code, ParseFaultCode::kMalformed);
  CHECK_EQ(fault.column, 0u);
  CHECK(fault.byte + 4 >= record.size() && fault.byte <= record.size());
}

}  // namespace
}  // namespace tfr::test
