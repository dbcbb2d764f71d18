// Rows of JSON Lines: their records, the events about their kinds, and the
// rows that JavaScript must decide.

#include "core/example/json/json_rows.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/example/json/row_encoder.h"
#include "test/example/exact_bytes.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

using State = JsonRows::State;
using Lines = std::vector<std::string>;

constexpr auto kNone = static_cast<uint8_t>(Kind::kNone);
constexpr auto kBytes = static_cast<uint8_t>(Kind::kBytes);
constexpr auto kFloat = static_cast<uint8_t>(Kind::kFloat);
constexpr auto kInt64 = static_cast<uint8_t>(Kind::kInt64);

void AddAll(const Lines& lines, JsonRows* rows) {
  for (const std::string& line : lines) rows->Add(Exact(line).span());
}

/// The record of `line`, whose names have `kinds`; "refused" or "blank".
std::string RecordOf(const std::string& line, std::vector<uint8_t> kinds,
                     RowChoice choice = {}) {
  JsonRows rows(std::move(choice));
  AddAll({line}, &rows);
  RowEncoder encoder;
  REQUIRE(encoder.Encode(rows, kinds));
  if (encoder.states()[0] == State::kBlank) return "blank";
  if (encoder.states()[0] == State::kRefused) return "refused";
  const Frame frame = encoder.frames()[0];
  const auto* const data =
      reinterpret_cast<const char*>(encoder.data().data()) + frame.offset;
  return {data, frame.length};
}

/// The events of `lines`: "row:name" or "row:name=literal".
std::string EventsOf(const Lines& lines) {
  JsonRows rows;
  AddAll(lines, &rows);
  std::string text;
  for (const RowEvent& event : rows.events()) {
    if (!text.empty()) text += ' ';
    text += std::to_string(event.row) + ':' + rows.names()[event.name].text;
    if (event.what > 0) text += '=' + std::to_string(event.what - 1);
  }
  return text;
}

State StateOf(const std::string& line) {
  JsonRows rows;
  AddAll({line}, &rows);
  return rows.rows()[0].state;
}

TEST(Kinds) {
  CHECK_EQ(
      RecordOf(R"({"a":1,"b":[2.5,-0],"c":"x"})", {kInt64, kFloat, kBytes}),
      ExampleOf({Entry("a", IntFeature({1})),
                 Entry("b", FloatFeature({2.5F, -0.0F})),
                 Entry("c", BytesFeature({"x"}))}));
  CHECK_EQ(
      RecordOf(R"( { "b" : [ -9 , true ] , "a" : false } )", {kInt64, kInt64}),
      ExampleOf(
          {Entry("a", IntFeature({0})), Entry("b", IntFeature({-9, 1}))}));
  CHECK_EQ(RecordOf("{}", {}), ExampleOf({}));
  CHECK_EQ(
      RecordOf(R"({"a":null,"b":[],"c":[]})", {kInt64, kInt64, kNone}),
      ExampleOf({Entry("a", ""), Entry("b", Field(3, "")), Entry("c", "")}));
}

TEST(AFloatMakesIntegersAndWordsFloat) {
  CHECK_EQ(RecordOf(R"({"a":[16777216,"Infinity","-Infinity","-0",3e38]})",
                    {kFloat}),
           ExampleOf({Entry("a", FloatFeature({16777216.0F, INFINITY, -INFINITY,
                                               -0.0F, 3e38F}))}));
  CHECK_EQ(RecordOf(R"({"a":16777217})", {kFloat}), "refused");
  CHECK_EQ(RecordOf(R"({"a":9223372036854775807})", {kFloat}), "refused");
  CHECK_EQ(RecordOf(R"({"a":"x"})", {kFloat}), "refused");
  CHECK_EQ(RecordOf(R"({"a":["7","-1",2]})", {kInt64}),
           ExampleOf({Entry("a", IntFeature({7, -1, 2}))}));
  CHECK_EQ(RecordOf(R"({"a":["NaN","7","-0"]})", {kBytes}),
           ExampleOf({Entry("a", BytesFeature({"NaN", "7", "-0"}))}));
  CHECK_EQ(RecordOf(R"({"a":1})", {kBytes}), "refused");
}

TEST(Texts) {
  CHECK_EQ(
      RecordOf(R"({"a":"\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00é\u0000"})",
               {kBytes}),
      ExampleOf({Entry(
          "a", BytesFeature({std::string("\"\\/\b\f\n\r\té€😀é\0", 20)}))}));
  CHECK_EQ(
      RecordOf(R"({"\u0061\"":{"base64":"/w=="},"b":{"base64":"QUI\u003d"}})",
               {kBytes, kBytes}),
      ExampleOf({Entry("a\"", BytesFeature({"\xff"})),
                 Entry("b", BytesFeature({"AB"}))}));
  for (const char* line : {R"({"a":"\ud800"})",
                           R"({"a":"\udc00"})",
                           R"({"a":"\ud800\u0061"})",
                           R"({"a":"\x"})",
                           R"({"a":"\u12g4"})",
                           R"({"a":"\u123)",
                           "{\"a\":\"\t\"}",
                           "{\"a\":\"\xff\"}",
                           "{\"a\":\"\xed\xa0\x80\"}",
                           "{\"a\xc3\":1}",
                           "{\"a\":\"x\\n\xc3\\n\"}",
                           R"({"a":{"base64":"/w="}})",
                           R"({"a":{"base64":"/x=="}})",
                           R"({"a":{"base64":"_w=="}})",
                           R"({"a":{"base64":"=AAA"}})",
                           R"({"a":{"base64":"A==="}})",
                           R"({"a":{"base64":"AAA=AAAA"}})",
                           R"({"a":{"base64":1}})",
                           R"({"a":{"base64":"","b":1}})",
                           R"({"a":{}})"}) {
    CHECK(StateOf(line) == State::kRefused);
  }
}

TEST(OtherLinesAreRefused) {
  for (const char* line : {"[]",
                           "1",
                           "null",
                           "{",
                           "}",
                           "{\"a\"}",
                           R"({"a":})",
                           R"({"a":1,})",
                           R"({"a":1}})",
                           R"({"a":1} x)",
                           R"({"a":[1,]})",
                           R"({"a":[,1]})",
                           R"({"a":[1 2]})",
                           R"({"a":[[1]]})",
                           R"({"a":[null]})",
                           R"({"a":nul})",
                           R"({"a":1,"a":1})",
                           R"({"a":01})",
                           R"({"a":.5})",
                           R"({a:1})",
                           R"({"a":9223372036854775808})",
                           R"({"a":1e39})",
                           R"({'a':1})",
                           "\xef\xbb\xbf{}"}) {
    CHECK(StateOf(line) == State::kRefused);
  }
  CHECK(StateOf(std::string("{}\0", 3)) == State::kRefused);
  CHECK(StateOf("") == State::kBlank);
  CHECK(StateOf(" \t\r") == State::kBlank);
}

TEST(SequenceExamples) {
  const std::string expected =
      SequenceOf({Entry("a", IntFeature({1}))},
                 {Entry("a", FeatureList({BytesFeature({"x", "y"}), "",
                                          Field(1, ""), BytesFeature({"z"})})),
                  Entry("l", "")});
  CHECK_EQ(
      RecordOf(
          R"({"context":{"a":1},"featureLists":{"l":[],"a":[["x","y"],null,[],"z"]}})",
          {kInt64, kNone, kBytes}),
      expected);
  CHECK_EQ(
      RecordOf(
          R"({"sequence":{"a":[["x","y"],null,[],"z"],"l":[]},"context":{"a":1}})",
          {kBytes, kNone, kInt64}),
      expected);
  CHECK_EQ(RecordOf(R"({"context":{},"sequence":{}})", {}), SequenceOf({}, {}));
  CHECK_EQ(RecordOf(R"({"featureLists":{},"context":{"a":[]}})", {kNone}),
           SequenceOf({Entry("a", "")}, {}));
  CHECK_EQ(RecordOf(R"({"featureLists":{"a":[]},"context":{}})", {kNone}),
           SequenceOf({}, {Entry("a", "")}));
  for (const char* line :
       {R"({"context":{}})", R"({"context":{},"sequence":{},"a":1})",
        R"({"context":{},"context":{}})", R"({"context":{},"a":{}})",
        R"({"context":{},"sequence":{"a":1}})",
        R"({"featureLists":{},"sequence":{}})"}) {
    CHECK(StateOf(line) == State::kRefused);
  }
  CHECK_EQ(RecordOf(R"({"context":1,"sequence":2})", {kInt64, kInt64}),
           ExampleOf({Entry("context", IntFeature({1})),
                      Entry("sequence", IntFeature({2}))}));
}

TEST(EventsHaveTheOrderOfJavaScript) {
  CHECK_EQ(EventsOf({R"({"b":1,"10":"x","2":[1,1.5],"a":[]})", R"({"b":2})",
                     R"({"b":["7","NaN","-0"],"c":null})"}),
           "0:2 0:2=0 0:2=1 0:10 0:10=2 0:b 0:b=0 0:a "
           "2:b=3 2:b=4 2:b=5 2:c");
  CHECK_EQ(EventsOf({R"({"sequence":{"x":[[1]]},"context":{"y":1.5}})"}),
           "0:y 0:y=1 0:x 0:x=0");
  // Refused rows leave nothing.
  CHECK_EQ(EventsOf({R"({"a":1,"b":[[)", R"({"a":1})"}), "1:a 1:a=0");
}

TEST(RefusedRowsLeaveTheOthersAsTheyAre) {
  JsonRows rows;
  AddAll({R"({"a":"x"})", R"({"a":"yy","b":["z",[]]})", "", R"({"a":"w"})"},
         &rows);
  RowEncoder encoder;
  REQUIRE(encoder.Encode(rows, {kBytes, kBytes}));
  const std::vector<State> states = {State::kTaken, State::kRefused,
                                     State::kBlank, State::kTaken};
  CHECK(encoder.states() == states);
  REQUIRE(encoder.frames().size() == 2);
  const auto* const data = reinterpret_cast<const char*>(encoder.data().data());
  CHECK_EQ(std::string(data, encoder.data().size()),
           ExampleOf({Entry("a", BytesFeature({"x"}))}) +
               ExampleOf({Entry("a", BytesFeature({"w"}))}));
  rows.Clear();
  AddAll({"{}"}, &rows);
  REQUIRE(encoder.Encode(rows, {}));
  CHECK_EQ(encoder.frames().size(), 1u);
}

TEST(HeldBytesCountNamesEventsAndChoices) {
  constexpr size_t kLong = 300000;
  const std::string name(kLong, 'n');
  JsonRows rows({RowChoice::Mode::kExcept, {name}});
  const size_t chosen = rows.held_bytes();
  CHECK(chosen > kLong + 4000);
  AddAll({"{\"" + name + "x\":1}"}, &rows);
  // The name is in JavaScript's memory, too.
  CHECK(rows.held_bytes() > chosen + 3 * kLong);
  rows.Free();
  CHECK(rows.held_bytes() <= chosen);
  AddAll({"{\"" + name + "\":[[]]}"}, &rows);
  CHECK(rows.rows()[0].state == State::kTaken);
}

TEST(AGiantRowKeepsNoMemory) {
  constexpr size_t kLong = size_t{20} << 20U;
  JsonRows rows;
  RowEncoder encoder;
  AddAll({"{\"a\":\"" + std::string(kLong, 'x') + "\"}"}, &rows);
  REQUIRE(encoder.Encode(rows, {kBytes}));
  CHECK(rows.held_bytes() > kLong);
  CHECK(encoder.held_bytes() > kLong);
  rows.Clear();
  CHECK(rows.held_bytes() < kLong / 4);
  AddAll({R"({"a":"x"})"}, &rows);
  REQUIRE(encoder.Encode(rows, {kBytes}));
  CHECK(encoder.held_bytes() < kLong / 4);
  CHECK_EQ(encoder.frames().size(), 1u);
  // Portions of a usual size find their memory again.
  AddAll({"{\"a\":\"" + std::string(kLong / 20, 'x') + "\"}"}, &rows);
  const size_t held = rows.held_bytes();
  rows.Clear();
  CHECK(rows.held_bytes() > held / 2);
}

TEST(SkippedFeatures) {
  const std::string line =
      R"({"a":1,"b":{"x":[1,{"y":null,"z":"\n"}],"w":-1e400},"c":[[true]]})";
  const std::string expected = ExampleOf({Entry("a", IntFeature({1}))});
  using Mode = RowChoice::Mode;
  CHECK_EQ(RecordOf(line, {kInt64, 4, 4}, {Mode::kExcept, {"c", "b"}}),
           expected);
  CHECK_EQ(RecordOf(line, {kInt64, 4, 4}, {Mode::kOnly, {"a"}}), expected);
  CHECK_EQ(RecordOf(R"({"a":1,"b":2})", {kInt64, RowEncoder::kSkipped}),
           expected);
  for (const char* other :
       {R"({"b":{"x":1,"x":1}})", R"({"b":{"x":1,}})", R"({"b":tru})",
        R"({"b":[1,]})", R"({"b":"\ud800"})"}) {
    CHECK_EQ(RecordOf(other, {4}, {Mode::kExcept, {"b"}}), "refused");
  }
  std::string deep = R"({"b":)";
  for (int i = 0; i < 100000; ++i) deep += '[';
  CHECK_EQ(RecordOf(deep, {4}, {Mode::kExcept, {"b"}}), "refused");
}

TEST(ASpecHasCountsAndRequiredFeatures) {
  const auto taken = [](const std::string& line) {
    RowChoice choice;
    choice.examples_only = true;
    JsonRows rows(choice);
    // The first row numbers the names.
    AddAll({R"({"a":1,"f":[1,2],"odd":3,"out":4})", line}, &rows);
    RowSpec spec;
    spec.counts = {1, 2, RowSpec::kAnyCount, RowSpec::kAnyCount};
    spec.required = {true, false, false, false};
    spec.required_count = 1;
    RowEncoder encoder;
    REQUIRE(encoder.Encode(rows, {kInt64, kFloat, kNone, RowEncoder::kSkipped},
                           &spec));
    CHECK(encoder.states()[0] == State::kRefused);
    if (encoder.states()[1] != State::kTaken) return std::string("refused");
    const Frame frame = encoder.frames()[0];
    const auto* const data =
        reinterpret_cast<const char*>(encoder.data().data()) + frame.offset;
    return std::string(data, frame.length);
  };
  const auto entry = [](const std::string& name, const std::string& feature) {
    return Field(1, Field(1, name) + Field(2, feature));
  };
  const std::string a = entry("a", Field(3, PackedInts({1})));
  for (const char* line :
       {R"({"a":1})", R"({"a":[1],"f":null})", R"({"odd":null,"a":true})",
        R"({"a":"1","odd":[],"out":["x"]})"}) {
    CHECK_EQ(taken(line), Field(1, a));
  }
  // Integers may be rounded.
  CHECK_EQ(taken(R"({"f":[16777217,0.5],"a":1})"),
           Field(1, a + entry("f", Field(2, PackedFloats({16777216, 0.5F})))));
  for (const char* line :
       {"{}", R"({"a":null})", R"({"a":[]})", R"({"a":[1,2]})",
        R"({"a":1,"f":1})", R"({"a":1,"f":[1,true]})", R"({"a":1,"odd":1})",
        R"({"a":1.5})", R"({"context":{"a":1},"featureLists":{}})"}) {
    CHECK_EQ(taken(line), "refused");
  }
}

}  // namespace
}  // namespace tfr::test
