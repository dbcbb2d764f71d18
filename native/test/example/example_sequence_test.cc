// SequenceExamples: context, lists, steps.

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

ColumnPlan AnySteps(std::string key, Kind kind) {
  return VarLen(std::move(key), kind, Section::kLists);
}

/// A required list with `count` values per step.
ColumnPlan Steps(std::string key, Kind kind, int64_t count) {
  return FixedLen(std::move(key), kind, count, "", Section::kLists);
}

std::string Lists(const std::vector<std::string>& lists) {
  return SequenceOf({}, lists);
}

ParseFault FaultOf(const ColumnPlan& column, const std::string& record) {
  const Parsed parsed(SequencePlan({column}), {record});
  CHECK_EQ(parsed.rows(), 0u);
  return parsed.fault();
}

TEST(WorkedExample) {
  const Strings records = {
      Unhex("0a100a0e0a046c616e6712060a040a026672123b0a1c0a03746f6b12150a051a03"
            "0a01030a051a030a01010a051a030a01040a1b0a03656d6212140a0c120a0a0800"
            "00003f0000803e0a0212000a00"),
      Unhex("0a100a0e0a046c616e6712060a040a02656e12100a0e0a03746f6b12070a051a03"
            "0a0109")};
  const auto plan = SequencePlan({FixedLen("lang", Kind::kBytes, 1),
                                  Steps("tok", Kind::kInt64, 1),
                                  AnySteps("emb", Kind::kFloat)});
  const Parsed parsed(plan, records);
  CHECK_EQ(parsed.rows(), 2u);
  CHECK(parsed.Bytes(0) == Strings({"fr", "en"}));
  CHECK(parsed.Ints(1) == Int64s({3, 1, 4, 9}));
  CHECK(parsed.Steps(1) == Int32s({0, 3, 4}));
  CHECK(parsed.Floats(2) == FloatVector({0.5, 0.25}));
  CHECK(parsed.Steps(2) == Int32s({0, 3, 3}));
  CHECK(parsed.Splits(2) == Int32s({0, 2, 2, 2}));
}

TEST(LongListsWithAnotherStepSomewhere) {
  const auto plan = SequencePlan({Steps("a", Kind::kInt64, 1)});
  const std::string others[] = {
      Field(3, UnpackedInts({-5})),       // still one value
      IntFeature({-5}),                   // ten bytes
      IntFeature({}) + IntFeature({-5}),  // in two lists
      IntFeature({}),                     // this and the next two are faulty
      IntFeature({1, 2}),
      FloatFeature({1}),
  };
  for (size_t size : {1, 31, 32, 33, 100}) {
    for (size_t at = 0; at <= size; at += 1 + size / 7) {
      for (const std::string& other : others) {
        std::vector<std::string> steps;
        for (size_t i = 0; i < size; ++i) {
          steps.push_back(IntFeature({static_cast<int64_t>(i * i)}));
        }
        if (at < size) steps[at] = other;
        const Parsed parsed(plan, {Lists({Entry("a", FeatureList(steps))})});
        const bool right = at == size || (&other - others) < 3;
        CHECK_EQ(parsed.rows(), right ? 1u : 0u);
        if (!right) {
          CHECK_EQ(parsed.fault().step, at);
          continue;
        }
        CHECK(parsed.Steps() == Int32s({0, static_cast<int32_t>(size)}));
        for (size_t i = 0; i < size; ++i) {
          CHECK_EQ(parsed.Ints()[i],
                   i == at ? -5 : static_cast<int64_t>(i * i));
        }
      }
    }
  }
}

TEST(OneKeyInBothSections) {
  const auto plan =
      SequencePlan({AnySteps("a", Kind::kInt64), VarLen("a", Kind::kInt64)});
  const auto record = SequenceOf({Entry("a", IntFeature({1}))},
                                 {Entry("a", FeatureList({IntFeature({2})}))});
  const Parsed parsed(plan, {record, record + record});
  CHECK(parsed.Ints(0) == Int64s({2, 2}));
  CHECK(parsed.Ints(1) == Int64s({1, 1}));
}

TEST(ExampleIsASequenceExampleWithoutLists) {
  const auto plan =
      SequencePlan({VarLen("a", Kind::kInt64), AnySteps("a", Kind::kInt64)});
  const Parsed parsed(plan, {ExampleOf({Entry("a", IntFeature({1}))})});
  CHECK(parsed.Ints(0) == Int64s({1}));
  CHECK(parsed.Steps(1) == Int32s({0, 0}));
}

TEST(ListsOfAnExampleAreUnknownFields) {
  const auto plan = ExamplePlan({VarLen("a", Kind::kInt64)});
  const auto lists = Lists({Entry("a", FeatureList({IntFeature({2})}))});
  CHECK(Parsed(plan, {lists + Field(2, "\xff")}).Ints().empty());
}

TEST(ContextWithoutAKindIsPresent) {
  const auto kindless = SequenceOf({Entry("a", "")}, {});
  const auto fallback = FixedLen("a", Kind::kInt64, 1, IntFeature({7}));
  const ParseFault fault = FaultOf(fallback, kindless);
  CHECK_EQ(fault.code, ParseFaultCode::kCount);
  CHECK_EQ(fault.found, 0u);
  CHECK(Parsed(SequencePlan({fallback}), {""}).Ints() == Int64s({7}));
  CHECK_EQ(FaultOf(FixedLen("a", Kind::kInt64, 1), "").code,
           ParseFaultCode::kMissing);
  CHECK_EQ(
      Parsed(SequencePlan({FixedLen("a", Kind::kInt64, 0)}), {kindless}).rows(),
      1u);
}

TEST(MissingList) {
  const auto list = Steps("a", Kind::kInt64, 1);
  for (const auto& record : {std::string(), Lists({Entry("b", "")})}) {
    CHECK_EQ(FaultOf(list, record).code, ParseFaultCode::kMissing);
  }
  // Present, without steps.
  for (const auto& entry : {Entry("a", ""), Field(1, Field(1, "a"))}) {
    CHECK(Parsed(SequencePlan({list}), {Lists({entry})}).Steps() ==
          Int32s({0, 0}));
  }
  auto optional = list;
  optional.required = false;
  CHECK(Parsed(SequencePlan({optional}), {""}).Steps() == Int32s({0, 0}));
}

TEST(EmptyStepsCount) {
  const auto record =
      Lists({Entry("a", FeatureList({"", Field(3, ""), IntFeature({1}),
                                     Field(3, Field(1, "")), ""}))});
  const Parsed parsed(SequencePlan({AnySteps("a", Kind::kInt64)}), {record});
  CHECK(parsed.Steps() == Int32s({0, 5}));
  CHECK(parsed.Splits() == Int32s({0, 0, 0, 1, 1, 1}));
}

TEST(StepsOfTheWrongCountOrKind) {
  const auto record = [](const std::string& step) {
    return Lists({Entry("a", FeatureList({IntFeature({1, 2}), step}))});
  };
  const auto two = Steps("a", Kind::kInt64, 2);
  for (const auto& step :
       {std::string(), Field(3, ""), IntFeature({1}), IntFeature({1, 2, 3})}) {
    const ParseFault fault = FaultOf(two, record(step));
    CHECK_EQ(fault.code, ParseFaultCode::kCount);
    CHECK_EQ(fault.step, 1u);
  }
  const ParseFault kind = FaultOf(two, record(Field(1, "")));
  CHECK_EQ(kind.code, ParseFaultCode::kKind);
  CHECK_EQ(kind.found_kind, Kind::kBytes);
  CHECK_EQ(kind.step, 1u);
}

TEST(MalformedListsAndSteps) {
  const auto any = AnySteps("a", Kind::kInt64);
  const auto step = IntFeature({1});
  const auto fault_of = [&](const std::string& list) {
    const ParseFault fault = FaultOf(any, Lists({Entry("a", list)}));
    CHECK_EQ(fault.code, ParseFaultCode::kMalformed);
    return fault;
  };
  CHECK_EQ(fault_of(FeatureList({step, "\xff"})).step, 1u);
  // Malformed between the steps: the fault names no step.
  CHECK_EQ(fault_of(FeatureList({step}) + "\x0a\x05").step, kUnknown);
  CHECK_EQ(fault_of(FeatureList({step}) + Tag(9, 4)).step, kUnknown);
}

TEST(UnknownFieldsBetweenSteps) {
  const auto any =
      Tag(1, 0) + Varint(3) + Field(2, "x") + Tag(5, 3) + Tag(5, 4);
  const auto list = Join(
      {any, Field(1, IntFeature({1})), any, Field(1, IntFeature({2})), any});
  const Parsed parsed(SequencePlan({AnySteps("a", Kind::kInt64)}),
                      {Lists({any, Entry("a", list), any})});
  CHECK(parsed.Splits() == Int32s({0, 1, 2}));
}

TEST(ListInPiecesIsMergedAndLaterEntriesWin) {
  const auto one = FeatureList({IntFeature({1}), IntFeature({2})});
  const auto two = FeatureList({IntFeature({3})});
  const auto plan = SequencePlan({AnySteps("a", Kind::kInt64)});
  const auto pieces = Field(1, Field(2, one) + Field(1, "a") + Field(2, two));
  CHECK(Parsed(plan, {Lists({pieces})}).Ints() == Int64s({1, 2, 3}));
  CHECK(Parsed(plan, {Lists({pieces, Entry("a", two)})}).Ints() == Int64s({3}));
  CHECK(Parsed(plan, {Lists({Entry("a", one)}) + Lists({Entry("a", two)})})
            .Ints() == Int64s({3}));
}

TEST(IntsOfListsAsNumbers) {
  const auto plan = std::make_shared<const Plan>(
      std::vector<ColumnPlan>{AnySteps("a", Kind::kInt64)}, true, true);
  const auto record = [](int64_t value) {
    return Lists({Entry("a", FeatureList({IntFeature({1}), IntFeature({}),
                                          IntFeature({2, value})}))});
  };
  const Parsed parsed(plan, {record(3), record(4), record(int64_t{1} << 60)});
  CHECK_EQ(parsed.rows(), 2u);
  CHECK_EQ(parsed.fault().code, ParseFaultCode::kInexact);
  CHECK_EQ(parsed.Ints().size(), 6u);
}

}  // namespace
}  // namespace tfr::test
