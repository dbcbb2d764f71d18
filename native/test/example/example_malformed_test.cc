// Records that are malformed by protobuf's rules, including those that
// TensorFlow accepts.

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

void CheckMalformed(const std::string& record, Kind kind = Kind::kInt64) {
  const Parsed parsed = ParseA(kind, record);
  CHECK_EQ(parsed.rows(), 0u);
  CHECK_EQ(parsed.fault().code, ParseFaultCode::kMalformed);
  CHECK(parsed.fault().byte <= record.size());
}

const std::string kA1 = Entry("a", IntFeature({1}));

TEST(VarintsTooLong) {
  CheckMalformed(IntList(Field(1, Unhex("8080808080808080808000"))));
  CheckMalformed(IntList(Unhex("08 8080808080808080808000")));
  CheckMalformed(Unhex("8a80808080808080808000 00"));
  CheckMalformed(Unhex("0a8080808080808080808000"));
}

TEST(VarintsCutOff) {
  for (size_t size = 1; size <= 10; ++size) {
    const std::string cut(size, '\x80');
    CheckMalformed(IntList(Field(1, cut)));
    CheckMalformed(IntList(Field(1, cut) + Field(1, Unhex("010101010101"))));
    CheckMalformed(IntList(Tag(1, 0) + cut));
    CheckMalformed(ExampleOf({kA1}) + cut);
  }
}

TEST(FloatChunksOfOddSizeAreMalformed) {
  for (const size_t size : {1, 2, 3, 5, 7}) {
    CheckMalformed(FloatList(Field(1, std::string(size, 'f'))), Kind::kFloat);
    // The fault is the same for another kind: malformed bytes come first.
    CheckMalformed(FloatList(Field(1, std::string(size, 'f'))), Kind::kInt64);
  }
}

TEST(LengthsBeyondTheParentAreMalformed) {
  const auto example = ExampleOf({Entry("a", IntFeature({1, 2, 3}))});
  // Positions of the lengths: Features, entry, key, value, list, packed.
  for (const size_t at : {1, 3, 5, 8, 10, 12}) {
    std::string damaged = example;
    damaged[at] = static_cast<char>(damaged[at] + 1);
    CheckMalformed(damaged);
    // The same with bytes after the record, and after the entry.
    CheckMalformed(damaged + Field(9, "1234567"));
  }
}

TEST(LengthsTooSmallAreMalformed) {
  const auto example = ExampleOf({Entry("a", IntFeature({1, 2, 200}))});
  for (const size_t at : {1, 3, 8, 10, 12}) {
    std::string damaged = example;
    damaged[at] = static_cast<char>(damaged[at] - 1);
    CheckMalformed(damaged);
  }
}

TEST(HugeLengths) {
  for (const uint64_t size :
       {uint64_t{0x7fffffff}, uint64_t{0x80000000}, uint64_t{0xffffffff},
        uint64_t{1} << 32, uint64_t{1} << 63, ~uint64_t{0}, ~uint64_t{0} - 8}) {
    const auto huge = Varint(size) + "abc";
    for (const Kind kind : {Kind::kBytes, Kind::kFloat, Kind::kInt64}) {
      const auto number = static_cast<uint64_t>(kind);
      CheckMalformed(Tag(1, 2) + huge, kind);
      CheckMalformed(Tag(9, 2) + huge, kind);
      CheckMalformed(ExampleOf({Tag(1, 2) + huge}), kind);
      CheckMalformed(ExampleOf({Field(1, Tag(1, 2) + huge)}), kind);
      CheckMalformed(ExampleOf({Field(1, Tag(2, 2) + huge)}), kind);
      CheckMalformed(ExampleOf({Entry("a", Tag(number, 2) + huge)}), kind);
      CheckMalformed(ExampleOf({Entry("a", Field(number, Tag(1, 2) + huge))}),
                     kind);
    }
  }
}

TEST(InvalidTags) {
  for (const auto* hex :
       {"00 00", "02 00", "05 00000000", "80 00 00", "07 00", "0e 00", "0f 00",
        "4e 00", "8a80808010 00", "ffffffffffffffffff01 00"}) {
    const auto bad = Unhex(hex);
    CheckMalformed(bad);
    CheckMalformed(ExampleOf({kA1}) + bad);
    CheckMalformed(ExampleOf({bad}));
    CheckMalformed(ExampleOf({Field(1, Field(1, "z") + bad)}));
    CheckMalformed(ExampleOf({Entry("a", bad)}));
    CheckMalformed(IntList(bad));
  }
}

TEST(GroupsThatDoNotMatchAreMalformed) {
  for (const std::string& bad :
       {Tag(9, 3), Tag(9, 4), Tag(9, 3) + Tag(8, 4), Tag(1, 4),
        Tag(9, 3) + Tag(8, 3) + Tag(9, 4) + Tag(8, 4),
        Tag(9, 3) + Unhex("00 00") + Tag(9, 4),
        Tag(9, 3) + Tag(7, 2) + Varint(2) + Tag(9, 4)}) {
    CheckMalformed(bad);
    CheckMalformed(ExampleOf({kA1, bad}));
    CheckMalformed(ExampleOf({Entry("a", bad)}));
    CheckMalformed(IntList(bad));
  }
}

TEST(GroupsNestAHundredDeep) {
  const auto nest = [](size_t depth) {
    std::string bytes;
    for (size_t i = 0; i < depth; ++i) bytes += Tag(i + 1, 3);
    for (size_t i = depth; i > 0; --i) bytes += Tag(i, 4);
    return bytes;
  };
  for (const size_t depth : {1, 2, 99, 100}) {
    CHECK(IntsOf(nest(depth) + ExampleOf({kA1})) == Int64s({1}));
  }
  CheckMalformed(nest(101));
  CheckMalformed(nest(10000));
  CheckMalformed(std::string(1 << 20, '\x4b'));
}

TEST(UnusedFeaturesAreNotExamined) {
  CHECK(IntsOf(ExampleOf({Entry("b", "\xff\xff\xff"), kA1})) == Int64s({1}));
  CHECK(IntsOf(ExampleOf({kA1, Entry("b", Field(3, "\x0a\x7f"))})) ==
        Int64s({1}));
  // But a malformed entry may hide any key.
  CheckMalformed(ExampleOf({Field(1, Field(1, "b") + "\x12\x05"), kA1}));
}

TEST(EachPieceOfAValueMustBeWhole) {
  const auto whole = IntFeature({1, 2});
  const auto piece = [](const std::string& value) { return Field(2, value); };
  for (size_t cut = 1; cut < whole.size(); ++cut) {
    const auto first = whole.substr(0, cut);
    const auto second = whole.substr(cut);
    CheckMalformed(
        ExampleOf({Field(1, Field(1, "a") + piece(first) + piece(second))}));
    CheckMalformed(ExampleOf(
        {Field(1, Field(1, "a") + piece("") + piece(first) + piece(second))}));
  }
}

}  // namespace
}  // namespace tfr::test
