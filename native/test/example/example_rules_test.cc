// Bytes in, values out: the rules of TensorFlow's parser, and the cases in
// which protobuf's rules are followed instead.

#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

const std::string kA1 = Entry("a", IntFeature({1}));
const std::string kUnknownFields[] = {
    Tag(9, 0) + Varint(300), Tag(9, 1) + "12345678", Field(9, "any"),
    Tag(9, 3) + Tag(8, 0) + Varint(1) + Tag(9, 4), Tag(9, 5) + "1234",
    Tag(536870911, 0) + Varint(0),
    // Known field numbers with the wrong wire type.
    Tag(1, 5) + "1234", Tag(1, 0) + Varint(7), Tag(1, 3) + Tag(1, 4)};

/// `bytes` with `any` on both sides.
std::string Within(const std::string& any, const std::string& bytes) {
  return Join({any, bytes, any});
}

TEST(ReferenceBytes) {
  const auto bytes = "0a0e0a0c0a016112071a050a03010203";
  CHECK(IntsOf(Unhex(bytes)) == Int64s({1, 2, 3}));
  CHECK_EQ(Unhex(bytes), ExampleOf({Entry("a", IntFeature({1, 2, 3}))}));
}

TEST(ExampleWithoutFeatures) {
  for (const auto* hex : {"", "0a00", "0a020a00"}) {
    CHECK(IntsOf(Unhex(hex)).empty());
    CHECK(FloatsOf(Unhex(hex)).empty());
    CHECK(BytesOf(Unhex(hex)).empty());
  }
}

TEST(PackedUnpackedAndBoth) {
  CHECK(IntsOf(IntList(Unhex("080108020803"))) == Int64s({1, 2, 3}));
  const auto packed = PackedInts({1, 2});
  const auto unpacked = UnpackedInts({300, -1});
  CHECK(IntsOf(IntList(packed + unpacked)) == Int64s({1, 2, 300, -1}));
  CHECK(IntsOf(IntList(unpacked + packed)) == Int64s({300, -1, 1, 2}));
  CHECK(IntsOf(IntList(packed + packed)) == Int64s({1, 2, 1, 2}));
  CHECK(FloatsOf(FloatList(UnpackedFloats({1, 2}) + PackedFloats({3}) +
                           PackedFloats({4, 5}))) ==
        FloatVector({1, 2, 3, 4, 5}));
}

TEST(EmptyPackedChunks) {
  CHECK(IntsOf(IntList(Field(1, ""))).empty());
  CHECK(FloatsOf(FloatList(Field(1, ""))).empty());
  CHECK(IntsOf(IntList(Field(1, "") + PackedInts({4}) + Field(1, ""))) ==
        Int64s({4}));
  CHECK(FloatsOf(FloatList(Field(1, "") + PackedFloats({4}) + Field(1, ""))) ==
        FloatVector({4}));
}

TEST(VarintsOfEverySize) {
  Int64s values;
  for (int bit = 0; bit < 64; ++bit) {
    const auto power = uint64_t{1} << bit;
    values.push_back(static_cast<int64_t>(power));
    values.push_back(static_cast<int64_t>(power - 1));
    values.push_back(-static_cast<int64_t>(power - 1));
  }
  CHECK(IntsOf(IntList(PackedInts(values))) == values);
  CHECK(IntsOf(IntList(UnpackedInts(values))) == values);
  for (const int64_t value : values) {
    CHECK(IntsOf(IntList(PackedInts({value}))) == Int64s({value}));
    CHECK(IntsOf(IntList(PackedInts({value}) + std::string(12, '\x28'))) ==
          Int64s({value}));
  }
}

TEST(VarintsWithSuperfluousBytes) {
  CHECK(IntsOf(IntList(Field(1, Unhex("8100 808080808000 81808080808080808000"
                                      " 05")))) == Int64s({1, 0, 1, 5}));
  // Bits beyond the 64th are dropped.
  CHECK(IntsOf(IntList(Field(1, Unhex("ffffffffffffffffff7f")))) ==
        Int64s({-1}));
  CHECK(IntsOf(IntList(Unhex("08 8080808080808080807e"))) == Int64s({0}));
  // Tags and lengths may take up to five bytes.
  const auto entries = Unhex("8a00 8a808000") + kA1.substr(2);
  const auto size = static_cast<char>(0x80 | entries.size());
  CHECK(IntsOf(Unhex("8a80808000") + size + Unhex("80808000") + entries) ==
        Int64s({1}));
}

TEST(SeveralFeaturesFieldsAreMergedByKey) {
  const auto plan =
      ExamplePlan({VarLen("a", Kind::kInt64), VarLen("b", Kind::kInt64)});
  const Parsed parsed(
      plan, {ExampleOf({kA1, Entry("b", IntFeature({2}))}) +
             ExampleOf({Entry("b", IntFeature({3})), Entry("c", "?")})});
  CHECK(parsed.Ints(0) == Int64s({1}));
  CHECK(parsed.Ints(1) == Int64s({3}));
}

TEST(LastEntryOfAKeyReplacesTheOthers) {
  const auto one = Entry("a", IntFeature({1, 2}));
  CHECK(IntsOf(ExampleOf({one, Entry("a", IntFeature({3}))})) == Int64s({3}));
  CHECK(IntsOf(ExampleOf({one, Entry("a", Field(3, ""))})).empty());
  CHECK(IntsOf(ExampleOf({one, Entry("a", "")})).empty());
  // The overridden entry may hold anything: it is not examined.
  CHECK(IntsOf(ExampleOf({Entry("a", "\xff"), one})) == Int64s({1, 2}));
  CHECK(IntsOf(ExampleOf({Entry("a", FloatFeature({3})), one})) ==
        Int64s({1, 2}));
  // The last entry has no kind: a feature that is required is at fault.
  const Parsed missing(ExamplePlan({FixedLen("a", Kind::kInt64, 2)}),
                       {ExampleOf({one, Entry("a", "")})});
  CHECK_EQ(missing.fault().code, ParseFaultCode::kKindless);
}

TEST(PartsOfAnEntryInAnyOrder) {
  const auto key = Field(1, "a");
  const auto value = Field(2, IntFeature({5}));
  CHECK(IntsOf(ExampleOf({Field(1, value + key)})) == Int64s({5}));
  CHECK(IntsOf(ExampleOf({Field(1, Field(1, "b") + key + value)})) ==
        Int64s({5}));
  CHECK(IntsOf(ExampleOf({Field(1, key + value + Field(1, "b"))})).empty());
  CHECK(IntsOf(ExampleOf({Field(1, key)})).empty());
  CHECK(IntsOf(ExampleOf({kA1, Field(1, key)})).empty());
}

TEST(EmptyKeyAndEntriesWithoutOne) {
  const auto plan = ExamplePlan({VarLen("", Kind::kInt64)});
  const auto value = Field(2, IntFeature({5}));
  CHECK(Parsed(plan, {ExampleOf({Entry("", IntFeature({4}))})}).Ints() ==
        Int64s({4}));
  CHECK(Parsed(plan, {ExampleOf({Field(1, value)})}).Ints() == Int64s({5}));
  CHECK(Parsed(plan, {ExampleOf({Field(1, value), Field(1, "")})})
            .Ints()
            .empty());
}

TEST(KeysAreRawBytes) {
  const std::string composed = "\xc3\xa9";
  const std::string decomposed = "e\xcc\x81";
  const std::string nul("a\0b", 3);
  const std::string broken = "\xff\xfe";
  for (const auto& key : {composed, decomposed, nul, broken}) {
    const auto plan = ExamplePlan({VarLen(key, Kind::kInt64)});
    for (const auto& other : {composed, decomposed, nul, broken}) {
      const Parsed parsed(plan, {ExampleOf({Entry(other, IntFeature({1}))})});
      CHECK_EQ(parsed.Ints().size(), size_t{other == key});
    }
  }
}

TEST(LongKeys) {
  for (const size_t size : {126, 127, 128, 129, 300, 70000}) {
    const std::string key(size, 'k');
    const auto plan = ExamplePlan({VarLen(key, Kind::kInt64)});
    const Parsed parsed(
        plan, {ExampleOf({Entry(key, IntFeature({1})), Entry(key + "k", "")})});
    CHECK(parsed.Ints() == Int64s({1}));
  }
}

TEST(UnknownFieldsAreSkippedEverywhere) {
  for (const std::string& any : kUnknownFields) {
    // Field 1 of these messages is length-delimited, so its other wire types
    // are unknown fields, too; in lists they may be values.
    CHECK(IntsOf(Within(any, ExampleOf({kA1}))) == Int64s({1}));
    CHECK(IntsOf(ExampleOf({any, kA1, any})) == Int64s({1}));
    const auto value = IntFeature({1});
    CHECK(IntsOf(ExampleOf({Field(1, Within(any, Field(1, "a")) +
                                         Within(any, Field(2, value)))})) ==
          Int64s({1}));
    CHECK(IntsOf(ExampleOf({Entry("a", Within(any, value))})) == Int64s({1}));
    CHECK(BytesOf(ExampleOf({Entry("a", Field(1, Within(any, Field(1, "x"))))}))
              .front() == "x");
  }
  const auto any = kUnknownFields[3];
  CHECK(IntsOf(IntList(any + PackedInts({1}) + any + UnpackedInts({2}) +
                       Tag(1, 5) + "abcd" + Tag(1, 1) + "abcdefgh")) ==
        Int64s({1, 2}));
  CHECK(FloatsOf(FloatList(any + PackedFloats({1}) + any + Tag(1, 0) +
                           Varint(3) + UnpackedFloats({2}))) ==
        FloatVector({1, 2}));
}

TEST(LastOfTwoKindsWins) {
  const auto ints = IntFeature({1});
  const auto floats = FloatFeature({2});
  CHECK(FloatsOf(ExampleOf({Entry("a", ints + floats)})) == FloatVector({2}));
  CHECK(IntsOf(ExampleOf({Entry("a", floats + ints)})) == Int64s({1}));
  CHECK(IntsOf(ExampleOf({Entry("a", ints + floats + IntFeature({3}))})) ==
        Int64s({3}));
  const Parsed wrong =
      ParseA(Kind::kInt64, ExampleOf({Entry("a", ints + Field(2, ""))}));
  CHECK_EQ(wrong.fault().code, ParseFaultCode::kKind);
  CHECK_EQ(wrong.fault().found_kind, Kind::kFloat);
}

TEST(ListsOfOneKindAreJoined) {
  CHECK(IntsOf(ExampleOf({Entry("a", IntFeature({1}) + IntFeature({2, 3}))})) ==
        Int64s({1, 2, 3}));
  CHECK(BytesOf(ExampleOf({Entry("a", BytesFeature({"x"}) + BytesFeature({}) +
                                          BytesFeature({"y"}))})) ==
        Strings({"x", "y"}));
}

TEST(ValueInPiecesIsMerged) {
  const auto pieces = [](const std::vector<std::string>& values) {
    std::string entry = Field(1, "a");
    for (const auto& value : values) entry += Field(2, value);
    return ExampleOf({Field(1, entry)});
  };
  CHECK(IntsOf(pieces({IntFeature({1}), IntFeature({2})})) == Int64s({1, 2}));
  CHECK(IntsOf(pieces({IntFeature({1}), "", IntFeature({2}), ""})) ==
        Int64s({1, 2}));
  CHECK(IntsOf(pieces({FloatFeature({1}), IntFeature({2})})) == Int64s({2}));
  CHECK(BytesOf(pieces({"", BytesFeature({"x"})})) == Strings({"x"}));
  CHECK(IntsOf(ExampleOf({Field(1, Field(2, IntFeature({1})) + Field(1, "b") +
                                       Field(2, IntFeature({2})) +
                                       Field(1, "a"))})) == Int64s({1, 2}));
}

TEST(NumbersAreExact) {
  const auto bits =
      Unhex("0000c07f 0100c0ff 0000807f 000080ff 00000080 01000000 ffff7f7f");
  const auto floats = FloatsOf(FloatList(Field(1, bits)));
  CHECK_EQ(floats.size(), 7u);
  CHECK(std::memcmp(floats.data(), bits.data(), bits.size()) == 0);
}

TEST(ListsOfEveryLength) {
  // The lengths of all enclosing messages grow from one byte to two.
  std::vector<std::string> records;
  for (size_t size = 0; size <= 300; ++size) {
    std::string value(size, 'v');
    if (size > 0) value.back() = 'e';
    records.push_back(ExampleOf({Entry("a", BytesFeature({value}))}));
  }
  CHECK_EQ(CompareAll(ExamplePlan({VarLen("a", Kind::kBytes)}), records), "");
  // Compares the same bytes as the other kinds.
  for (const Kind kind : {Kind::kFloat, Kind::kInt64}) {
    CHECK_EQ(CompareAll(ExamplePlan({VarLen("a", kind)}), records), "");
  }
}

TEST(BytesAreKept) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  Strings values = {"", std::string(1, '\0'), all, "", all + all};
  for (size_t size = 30; size < 35; ++size) {
    values.emplace_back(size, static_cast<char>(size));
  }
  CHECK(BytesOf(ExampleOf({Entry("a", BytesFeature(values))})) == values);
}

}  // namespace
}  // namespace tfr::test
