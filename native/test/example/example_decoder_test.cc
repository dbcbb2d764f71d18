// Decodes records without a plan: tests each of protobuf's rules, and compares
// with a plain decoder.

#include "core/example/decode/example_decoder.h"

#include "test/example/example_checks.h"
#include "test/example/example_decodings.h"

namespace tfr::test {
namespace {

using Outcome = ExampleDecoder::Outcome;

DecodedEntry FeatureEntry(std::string name, PlainFeature feature) {
  return {std::move(name), false, {std::move(feature)}};
}

PlainFeature Ints(std::vector<int64_t> values) {
  return {Kind::kInt64, {}, {}, std::move(values)};
}

PlainFeature Bytes(std::vector<std::string> values) {
  return {Kind::kBytes, std::move(values), {}, {}};
}

/// Decodes a valid record both ways.
DecodedEntries Decoded(const std::string& record, bool sequence = false) {
  CHECK_EQ(CompareDecoded(record), "");
  auto plain = PlainDecode(record, sequence);
  REQUIRE(plain.has_value());
  return *plain;
}

void CheckRefused(const std::string& record) {
  CHECK_EQ(CompareDecoded(record), "");
  CHECK(!PlainDecode(record, true).has_value());
}

TEST(ValuesOfAllKinds) {
  const auto entries = Decoded(ExampleOf(
      {Entry("i", IntFeature({-1, 300})), Entry("f", FloatFeature({0.5F, -2})),
       Entry("b", BytesFeature({"x", "", "yz"})), Entry("none", "")}));
  REQUIRE_EQ(entries.size(), 4u);
  CHECK(entries[0] == FeatureEntry("i", Ints({-1, 300})));
  CHECK(entries[1] ==
        FeatureEntry("f", {Kind::kFloat, {}, {0x3f000000, 0xc0000000}, {}}));
  CHECK(entries[2] == FeatureEntry("b", Bytes({"x", "", "yz"})));
  CHECK(entries[3] == FeatureEntry("none", {}));
}

TEST(EntriesKeepTheirOrder) {
  const std::string one = IntFeature({1});
  const std::string two = IntFeature({2});
  const std::string record = ExampleOf({Entry("a", one), Entry("a", two)}) +
                             ExampleOf({Entry("a", BytesFeature({"x"}))});
  const auto entries = Decoded(record);
  REQUIRE_EQ(entries.size(), 3u);
  CHECK(entries[1] == FeatureEntry("a", Ints({2})));
  CHECK(entries[2] == FeatureEntry("a", Bytes({"x"})));
}

TEST(PartsOfAnEntryInAnyOrderAndNumber) {
  const std::string one = Field(2, IntFeature({1}));
  const std::string name = Field(1, "a");
  const auto of = [](const std::string& entry) {
    const auto entries = Decoded(ExampleOf({Field(1, entry)}));
    return entries.size() == 1 ? entries[0] : DecodedEntry{};
  };
  CHECK(of("") == FeatureEntry("", {}));
  CHECK(of(one) == FeatureEntry("", Ints({1})));
  CHECK(of(one + name) == FeatureEntry("a", Ints({1})));
  CHECK(of(Field(1, "b") + name + one) == FeatureEntry("a", Ints({1})));
  CHECK(of(name + one + one) == FeatureEntry("a", Ints({1, 1})));
  CHECK(of(name + one + Field(2, "") + Tag(9, 0) + "x") ==
        FeatureEntry("a", Ints({1})));
  CHECK(of(one + Field(2, BytesFeature({"x"})) + one) ==
        FeatureEntry("", Ints({1})));
}

TEST(OverriddenNamesAreReported) {
  const auto names = Field(1, "first") + Field(1, "") + Field(1, "last");
  const auto record =
      SequenceOf({Field(1, names), Entry("a", "")},
                 {Field(1, Field(1, "x") + Field(2, FeatureList({""})) +
                               Field(1, "y") + Field(2, FeatureList({""})))});
  CHECK_EQ(CompareDecoded(record), "");
  const Slab slab({record});
  ExampleDecoder decoder(true);
  REQUIRE(decoder.Decode({slab.data(), slab.size()}) == Outcome::kDecoded);
  const BlockReader block(decoder.decoded(), record);
  CHECK(block.IdleNames() == Strings({"first", "x"}));
  REQUIRE_EQ(block.Entries().size(), 3u);
  CHECK_EQ(block.Entries()[0].name, "last");
  CHECK_EQ(block.Entries()[2].name, "y");
  CHECK_EQ(block.Entries()[2].features.size(), 2u);
}

TEST(ValuesOfAnOverriddenKindAreDropped) {
  const std::string feature =
      IntFeature({1, 2}) + BytesFeature({"x", "y"}) + IntFeature({3});
  const auto entries =
      Decoded(ExampleOf({Entry("a", IntFeature({9})), Entry("b", feature),
                         Entry("c", IntFeature({8}))}));
  REQUIRE_EQ(entries.size(), 3u);
  CHECK(entries[0] == FeatureEntry("a", Ints({9})));
  CHECK(entries[1] == FeatureEntry("b", Ints({3})));
  CHECK(entries[2] == FeatureEntry("c", Ints({8})));
}

TEST(StepsFollowTheirList) {
  const std::string step = FeatureList({IntFeature({1}), "", IntFeature({2})});
  const std::string list =
      Field(1, Field(1, "l") + Field(2, step) + Tag(9, 0) + "x" +
                   Field(2, FeatureList({BytesFeature({"z"})})));
  const auto entries = Decoded(
      SequenceOf({Entry("c", IntFeature({7}))}, {list, Entry("m", "")}), true);
  REQUIRE_EQ(entries.size(), 3u);
  CHECK(entries[0] == FeatureEntry("c", Ints({7})));
  CHECK(entries[1] ==
        DecodedEntry({"l", true, {Ints({1}), {}, Ints({2}), Bytes({"z"})}}));
  CHECK(entries[2] == DecodedEntry({"m", true, {}}));
}

TEST(ManyPackedFloatsStayInTheRecord) {
  const auto kind_of = [](const std::string& record, bool sequence) {
    CHECK_EQ(CompareDecoded(record), "");
    const Slab slab({record});
    ExampleDecoder decoder(sequence);
    REQUIRE(decoder.Decode({slab.data(), slab.size()}) == Outcome::kDecoded);
    const auto& rows = decoder.decoded().rows;
    return rows.data()[rows.size() - 1].kind;
  };
  const std::vector<float> some(1024, 1.5F);
  const std::vector<float> many(1025, 1.5F);
  const std::string value = Field(2, FloatFeature(many));
  const std::string name = Field(1, "a");
  const auto entry = [](const std::string& bytes) {
    return ExampleOf({Field(1, bytes)});
  };
  CHECK(kind_of(ExampleOf({Entry("a", FloatFeature(some))}), false) ==
        RowKind::kFloat);
  CHECK(kind_of(entry(name + value), false) == RowKind::kPacked);
  for (const size_t size : {4100, 70000, 600000}) {
    const std::vector<float> more(size, 0.25F);
    CHECK(kind_of(ExampleOf({Entry("a", FloatFeature(more))}), false) ==
          RowKind::kPacked);
  }
  CHECK(kind_of(SequenceOf({}, {Entry("l", FeatureList({FloatFeature(many)}))}),
                true) == RowKind::kPacked);
  // Not if a name or another piece follows.
  CHECK(kind_of(entry(value + name), false) == RowKind::kFloat);
  CHECK(kind_of(entry(name + value + Field(2, FloatFeature({1}))), false) ==
        RowKind::kFloat);
  CHECK(kind_of(ExampleOf({Entry("a", Field(2, UnpackedFloats(many)))}),
                false) == RowKind::kFloat);
}

TEST(EveryCutAndEveryWrongLength) {
  const std::string record =
      SequenceOf({Entry("a", IntFeature({1, 300})),
                  Entry("b", Field(3, UnpackedInts({1, 2})) + Tag(9, 3) +
                                 Tag(1, 0) + "x" + Tag(9, 4)),
                  Entry("c", FloatFeature({1})), Entry("d", BytesFeature({}))},
                 {Entry("l", FeatureList({BytesFeature({"x"}), ""}))});
  CHECK_EQ(CompareDecoded(record), "");
  for (size_t i = 0; i < record.size(); ++i) {
    CHECK_EQ(CompareDecoded(record.substr(0, i)), "");
    for (const int change : {1, -1, 0x80, 0x40, 7}) {
      std::string damaged = record;
      damaged[i] = static_cast<char>(damaged[i] + change);
      CHECK_EQ(CompareDecoded(damaged), "");
    }
  }
}

TEST(TagsAndLengthsHaveAtMostFiveBytes) {
  const std::string one = ExampleOf({Entry("a", IntFeature({1}))});
  const std::string list = PackedInts({1});
  const auto in_feature = [](const std::string& feature) {
    return ExampleOf({Entry("a", feature)});
  };
  for (const std::string& right : {
           Unhex("8a80808000") + std::string(one, 1),
           one + Unhex("4a 8080808000"),
           one + Unhex("4b 4a 8080808000 4c"),
           in_feature(Unhex("1a 8380808000") + list + Unhex("c880808000 01")),
           in_feature(Field(3, Unhex("0a 8180808000 05"))),
       }) {
    CHECK_EQ(Decoded(right).size(), 1u);
    // Lengthens the longest varint by one byte.
    const size_t at = right.find("\x80\x80\x80");
    std::string wrong = right;
    wrong.insert(at, 1, '\x80');
    CHECK_EQ(CompareDecoded(wrong), "");
  }
  CheckRefused(Unhex("8a8080808000") + std::string(one, 1));
  CheckRefused(one + Unhex("4a 808080808000"));
  CheckRefused(one + Unhex("4b 4a 808080808000 4c"));
  CheckRefused(one + Unhex("c88080808000 01"));
}

TEST(OverriddenValuesAreChecked) {
  // In an overridden list, an overridden entry, and a list of another kind.
  const std::string cut = Field(3, Field(1, "\x80"));
  CheckRefused(ExampleOf({Entry("a", cut + IntFeature({1}))}));
  CheckRefused(ExampleOf({Entry("a", cut), Entry("a", IntFeature({1}))}));
  CheckRefused(ExampleOf({Entry("a", Field(2, Field(1, "12345")))}));
  CheckRefused(SequenceOf({}, {Entry("l", FeatureList({cut}))}));
  CheckRefused(ExampleOf({Tag(9, 4)}));
}

TEST(OneDecoderReadsManyRecords) {
  ExampleDecoder decoder(false);
  for (const size_t count : {3, 100000, 0, 2000}) {
    const std::string record =
        ExampleOf({Entry("a", IntFeature(std::vector<int64_t>(count, 5)))});
    const Slab slab({record});
    CHECK(decoder.Decode({slab.data(), 4}) == Outcome::kMalformed);
    REQUIRE(decoder.Decode({slab.data(), slab.size()}) == Outcome::kDecoded);
    CHECK(BlockReader(decoder.decoded(), record).Entries() ==
          *PlainDecode(record, false));
  }
  CHECK(decoder.Decode({}) == Outcome::kDecoded);
  CHECK_EQ(decoder.decoded().rows.size(), 0u);
}

}  // namespace
}  // namespace tfr::test
