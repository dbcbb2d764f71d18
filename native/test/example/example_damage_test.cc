// Damaged records, and records designed to be slow or large. A parser that
// takes quadratic time would not finish these tests.

#include <algorithm>
#include <random>

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

PlanPtr AllKinds(bool sequence) {
  std::vector<ColumnPlan> columns = {
      VarLen("a", Kind::kInt64), VarLen("b", Kind::kFloat),
      VarLen("c", Kind::kBytes),
      FixedLen("d", Kind::kInt64, 1, IntFeature({5}))};
  if (sequence) {
    columns.push_back(VarLen("a", Kind::kInt64, Section::kLists));
    columns.push_back(VarLen("b", Kind::kFloat, Section::kLists));
    columns.push_back(VarLen("c", Kind::kBytes, Section::kLists));
  }
  return sequence ? SequencePlan(columns) : ExamplePlan(columns);
}

const std::string& Rich() {
  static const auto* const record = new std::string(
      Tag(9, 3) + Tag(1, 0) + Varint(1) + Tag(9, 4) +
      SequenceOf(
          {Entry("a", Field(3, PackedInts({1, 300, -1}) + UnpackedInts({-7}))),
           Entry("b", Field(2, PackedFloats({1, 2}) + UnpackedFloats({3}))),
           Entry("nobody asks", "\xff"),
           Entry("c", BytesFeature({"", "x", std::string(40, 'y')})),
           Field(1, Field(2, IntFeature({1})) + Field(1, "d") + Field(2, "")),
           Field(1, Field(1, "a") + Field(2, FloatFeature({1})) +
                        Field(2, IntFeature({5})))},
          {Entry("a", FeatureList({IntFeature({1}), "", IntFeature({2, 3})})),
           Entry("b", FeatureList({FloatFeature({1}), FloatFeature({})})),
           Entry("c", FeatureList({BytesFeature({"step"})}))}));
  return *record;
}

TEST(EveryCut) {
  for (const bool sequence : {false, true}) {
    const auto plan = AllKinds(sequence);
    for (size_t size = 0; size <= Rich().size(); size += LoopStep()) {
      CHECK_EQ(Compare(plan, {Rich().substr(0, size)}, 1), "");
      CHECK_EQ(Compare(plan, {Rich().substr(0, size), Rich()}, 2), "");
    }
  }
}

TEST(CutsOfAnExampleAreFaultsUnlessBetweenFields) {
  const auto example = ExampleOf(
      {Entry("a", IntFeature({1, 2, 3})), Entry("b", FloatFeature({1}))});
  const Strings wholes = {example + Field(9, "any") + example};
  const size_t ends[] = {0, example.size(), example.size() + 5};
  for (size_t size = 0; size < wholes[0].size(); ++size) {
    const Parsed parsed(AllKinds(false), {wholes[0].substr(0, size)});
    const bool whole = std::count(std::begin(ends), std::end(ends), size) > 0;
    CHECK_EQ(parsed.rows(), size_t{whole});
    if (!whole) CHECK_EQ(parsed.fault().code, ParseFaultCode::kMalformed);
  }
}

TEST(EveryByteChanged) {
  for (const bool sequence : {false, true}) {
    const auto plan = AllKinds(sequence);
    for (size_t at = 0; at < Rich().size(); at += LoopStep()) {
      for (const int change : {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0xff}) {
        std::string damaged = Rich();
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        CHECK_EQ(Compare(plan, {damaged, Rich()}, 2, 2), "");
      }
    }
  }
}

TEST(PiecesRemovedAndRepeated) {
  const auto plan = AllKinds(true);
  std::mt19937 random(7);
  for (size_t turn = 0; turn < 3000; turn += LoopStep()) {
    std::string damaged = Rich();
    for (size_t i = random() % 4 + 1; i > 0; --i) {
      const size_t at = random() % damaged.size();
      const std::string piece = damaged.substr(at, random() % 20);
      if (random() % 2 == 0) {
        damaged.erase(at, piece.size());
      } else {
        damaged.insert(random() % damaged.size(), piece);
      }
    }
    CHECK_EQ(Compare(plan, {damaged, damaged, Rich()}, 3), "");
  }
}

/// Parsed only by the fast parser: the plain one would take too much memory.
struct Large {
  BatchParser parser;
  ParseFault fault;

  Large(const PlanPtr& plan, const std::string& record) : parser(plan) {
    REQUIRE(parser.Clear());
    const Frame frame = {0, static_cast<uint32_t>(record.size())};
    parser.Append(reinterpret_cast<const uint8_t*>(record.data()),
                  record.size(), &frame, 1, &fault);
  }
};

std::string Times(size_t count, std::string_view piece) {
  std::string all;
  all.reserve(count * piece.size());
  for (size_t i = 0; i < count; ++i) all += piece;
  return all;
}

constexpr size_t kMillion = 1000000;

TEST(MillionEntries) {
  const auto plan = AllKinds(true);
  for (const auto& entry :
       {Field(1, ""), Field(1, Field(1, "a")), Entry("a", ""), Entry("?", ""),
        Entry("a", IntFeature({1})),
        Entry("a long key that nobody wants", "")}) {
    const auto map = Times(kMillion, entry);
    CHECK_EQ(Large(plan, Field(1, map)).parser.rows(), 1u);
    CHECK_EQ(Large(plan, Field(2, map)).parser.rows(), 1u);
    CHECK_EQ(Large(plan, Times(kMillion, Field(1, entry))).parser.rows(), 1u);
  }
}

TEST(ValueInAMillionPieces) {
  const auto plan = AllKinds(true);
  const auto value = Field(2, IntFeature({1}));
  for (const auto* key : {"a", "nobody asks"}) {
    const auto entry = Field(1, Field(1, key) + Times(kMillion, value));
    const Large large(plan, Field(1, entry));
    CHECK_EQ(large.parser.column(0).ints.size(), *key == 'a' ? kMillion : 0);
    CHECK_EQ(Large(plan, Field(1, Times(2, entry))).parser.rows(), 1u);
  }
  const auto steps = Field(2, FeatureList({IntFeature({1})}));
  const Large lists(plan,
                    Field(2, Field(1, Field(1, "a") + Times(kMillion, steps))));
  CHECK_EQ(lists.parser.column(4).splits.size(), kMillion + 1);
}

TEST(MillionEntriesInPieces) {
  const auto entry = Field(
      1, Field(2, Tag(9, 0) + "1") + Field(1, "a") + Field(2, Tag(9, 0) + "1"));
  CHECK_EQ(
      Large(AllKinds(true), Field(1, Times(kMillion, entry))).parser.rows(),
      1u);
}

TEST(MillionChangesOfKind) {
  const auto plan = AllKinds(true);
  const auto changes =
      Times(kMillion / 2, IntFeature({1, 2}) + FloatFeature({1}));
  const Large ints(plan, ExampleOf({Entry("a", changes + IntFeature({7}))}));
  CHECK_EQ(ints.parser.column(0).ints.size(), 1u);
  const Large wrong(plan, ExampleOf({Entry("a", changes)}));
  CHECK_EQ(wrong.fault.code, ParseFaultCode::kKind);
}

TEST(MillionsOfValuesOneByOne) {
  const auto plan = AllKinds(true);
  const auto list = [&](Kind kind, const std::string& one) {
    return Field(static_cast<uint64_t>(kind), Times(4 * kMillion, one));
  };
  const Large large(
      plan, ExampleOf({Entry("a", list(Kind::kInt64, Tag(1, 0) + "\x01")),
                       Entry("b", list(Kind::kFloat, Tag(1, 5) + "flts")),
                       Entry("c", list(Kind::kBytes, Field(1, "")))}));
  CHECK_EQ(large.parser.rows(), 1u);
  CHECK_EQ(large.parser.column(0).ints.size(), 4 * kMillion);
  CHECK_EQ(large.parser.column(1).floats.size(), 4 * kMillion);
  CHECK_EQ(large.parser.column(2).offsets.size(), 4 * kMillion + 1);
  const auto chunks = Times(4 * kMillion, Field(1, ""));
  CHECK_EQ(Large(plan, ExampleOf({Entry("a", Field(3, chunks)),
                                  Entry("b", Field(2, chunks))}))
               .parser.rows(),
           1u);
}

TEST(MillionsOfEmptySteps) {
  const auto list = Times(4 * kMillion, Field(1, ""));
  const Large large(AllKinds(true), Field(2, Entry("a", list)));
  CHECK_EQ(large.parser.column(4).splits.size(), 4 * kMillion + 1);
}

TEST(MillionFaultyRecordsInOneSlab) {
  const auto plan = AllKinds(false);
  const auto record = ExampleOf({Entry("a", FloatFeature({1}))});
  const std::vector<Frame> frames(kMillion / 4,
                                  {0, static_cast<uint32_t>(record.size())});
  BatchParser parser(plan);
  REQUIRE(parser.Clear());
  size_t at = 0;
  for (; at < frames.size(); ++at) {
    ParseFault fault;
    at += parser.Append(reinterpret_cast<const uint8_t*>(record.data()),
                        record.size(), frames.data() + at, frames.size() - at,
                        &fault);
    REQUIRE_EQ(fault.code, ParseFaultCode::kKind);
  }
  CHECK_EQ(at, frames.size());
  CHECK_EQ(parser.rows(), 0u);
}

}  // namespace
}  // namespace tfr::test
