// Lines of JSON of records: each form, what is refused, and rooms that are too
// small. TypeScript's printers, which are the rule, are compared in test/unit.

#include "core/example/print/line_printer.h"

#include <limits>
#include <memory>
#include <string>

#include "core/example/print/record_slab_printer.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

using Outcome = LinePrinter::Outcome;

/// Prints to memory of exactly `size` bytes, so that sanitizers see a write
/// past its end.
std::string Print(LinePrinter* printer, const std::string& record, size_t size,
                  Outcome* outcome) {
  const auto memory = std::make_unique<uint8_t[]>(size);
  // Records in memory of their own size, too.
  const auto bytes = std::make_unique<uint8_t[]>(record.size());
  std::copy(record.begin(), record.end(), bytes.get());
  TextRoom room{memory.get(), memory.get() + size};
  *outcome = printer->Print({bytes.get(), record.size()}, &room);
  return {memory.get(), room.at};
}

std::string Line(const std::string& record, LineForm form = LineForm::kRows) {
  LinePrinter printer(form);
  Outcome outcome;
  std::string line = Print(&printer, record, 4096, &outcome);
  if (outcome != Outcome::kPrinted) return "refused";
  if (!CHECK(!line.empty() && line.back() == '\n')) return line;
  line.pop_back();
  return line;
}

std::string One(const std::string& feature) {
  return Line(ExampleOf({Entry("a", feature)}));
}

std::string All() {
  return ExampleOf(
      {Entry("i", IntFeature({1, -1, std::numeric_limits<int64_t>::min()})),
       Entry("b", BytesFeature({"x", std::string("\xff\0", 2), "NaN"})),
       Entry("f", FloatFeature({1, 0.1F})), Entry("e", IntFeature({})),
       Entry("n", "")});
}

std::string Sequence() {
  return SequenceOf({Entry("z", IntFeature({1})), Entry("c", "")},
                    {Entry("w", FeatureList({BytesFeature({"a"}), ""})),
                     Entry("m", FeatureList({}))});
}

TEST(Rows) {
  CHECK_EQ(Line(All()), R"({"i":[1,-1,-9223372036854775808],)"
                        R"("b":["x",{"base64":"/wA="},{"base64":"TmFO"}],)"
                        R"("f":[1.0,0.1],"e":[],"n":null})");
  CHECK_EQ(Line(Sequence()), R"({"context":{"z":[1],"c":null},)"
                             R"("featureLists":{"w":[["a"],null],"m":[]}})");
  CHECK_EQ(Line(""), "{}");
  CHECK_EQ(Line(Field(2, "")), R"({"context":{},"featureLists":{}})");
}

TEST(Messages) {
  CHECK_EQ(Line(All(), LineForm::kMessages),
           R"({"features":{"feature":{)"
           R"("i":{"int64List":{"value":["1","-1","-9223372036854775808"]}},)"
           R"("b":{"bytesList":{"value":["eA==","/wA=","TmFO"]}},)"
           R"("f":{"floatList":{"value":[1.0,0.1]}},"e":{"int64List":)"
           R"({"value":[]}},"n":{}}}})");
  CHECK_EQ(Line(Sequence(), LineForm::kMessages),
           R"({"context":{"feature":{"z":{"int64List":{"value":["1"]}},)"
           R"("c":{}}},"featureLists":{"featureList":{"w":{"feature":[)"
           R"({"bytesList":{"value":["YQ=="]}},{}]},"m":{}}}})");
  CHECK_EQ(Line(ExampleOf({Entry("a", Field(3, ""))}), LineForm::kMessages),
           R"({"features":{"feature":{"a":{"int64List":{}}}}})");
  CHECK_EQ(Line("", LineForm::kMessages), "{}");
  CHECK_EQ(Line(ExampleOf({}), LineForm::kMessages), R"({"features":{}})");
  CHECK_EQ(Line(Field(2, ""), LineForm::kMessages), R"({"featureLists":{}})");
}

TEST(RecordsHaveTheOrderOfNames) {
  CHECK_EQ(Line(All(), LineForm::kRecords),
           R"({"features":{"b":["x",{"base64":"/wA="},"NaN"],"e":[],)"
           R"("f":[1.0,0.1],"i":[1,-1,-9223372036854775808],"n":null}})");
  CHECK_EQ(Line(Sequence(), LineForm::kRecordsWithKinds),
           R"({"context":{"c":null,"z":{"int64":[1]}},)"
           R"("featureLists":{"m":[],"w":[{"bytes":["a"]},null]}})");
  LinePrinter printer(LineForm::kRecords);
  Outcome outcome;
  // The order is remembered, and found again where names change.
  for (const char* names : {"ba", "ba", "ab", "cb", "ba", "b"}) {
    std::string entries;
    std::string sorted(names);
    for (const char name : sorted) entries += Entry({&name, 1}, "");
    std::sort(sorted.begin(), sorted.end());
    std::string wanted;
    for (const char name : sorted) {
      wanted += std::string(wanted.empty() ? "" : ",") + '"' + name + "\":null";
    }
    CHECK_EQ(Print(&printer, Field(1, entries), 4096, &outcome),
             "{\"features\":{" + wanted + "}}\n");
  }
}

TEST(RecordsThatWouldBeCutAreRefused) {
  const auto is_whole = [](const std::string& record) {
    LinePrinter printer(LineForm::kRecords, true);
    Outcome outcome;
    Print(&printer, record, 4096, &outcome);
    return outcome == Outcome::kPrinted;
  };
  const auto one = [](const std::string& feature) {
    return ExampleOf({Entry("a", feature)});
  };
  for (const size_t more : {0, 1}) {
    const bool whole = more == 0;
    const std::vector<int64_t> ints(32 + more, 7);
    const std::vector<float> floats(32 + more, 7);
    CHECK_EQ(is_whole(one(IntFeature(ints))), whole);
    CHECK_EQ(is_whole(one(Field(3, UnpackedInts(ints)))), whole);
    CHECK_EQ(is_whole(one(FloatFeature(floats))), whole);
    CHECK_EQ(is_whole(one(Field(2, UnpackedFloats(floats)))), whole);
    const std::vector<std::string> strings(32 + more, "x");
    CHECK_EQ(is_whole(one(BytesFeature(strings))), whole);
    CHECK_EQ(is_whole(one(BytesFeature({std::string(256 + more, 'x')}))),
             whole);
    CHECK_EQ(is_whole(one(BytesFeature({std::string(48 + more, '\0')}))),
             whole);
    const std::string steps =
        FeatureList(std::vector<std::string>(16 + more, ""));
    CHECK_EQ(is_whole(SequenceOf({}, {Entry("a", steps)})), whole);
  }
}

TEST(ListsThatAreNotPacked) {
  CHECK_EQ(One(Field(3, UnpackedInts({5, -6}) + PackedInts({7}))),
           R"({"a":[5,-6,7]})");
  CHECK_EQ(One(Field(2, UnpackedFloats({5}) + PackedFloats({7, 8}))),
           R"({"a":[5.0,7.0,8.0]})");
}

TEST(Texts) {
  const auto text = [](const std::string& value) {
    const std::string line = One(BytesFeature({value}));
    return line.substr(6, line.size() - 8);
  };
  CHECK_EQ(text("a \"quoted\" \\ text of some length\t\r\n"),
           R"("a \"quoted\" \\ text of some length\t\r\n")");
  CHECK_EQ(text("\x7f"), R"({"base64":"fw=="})");
  CHECK_EQ(text("eight by\x01"), R"({"base64":"ZWlnaHQgYnkB"})");
  CHECK_EQ(text("\xc2\x85"), R"({"base64":"woU="})");
  CHECK_EQ(text("\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82"),
           "\"\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82\"");
  CHECK_EQ(text("\xd8\x9c\xe2\x80\x8e\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6"),
           R"("\u061c\u200e\u2028\u202e\u2066")");
  CHECK_EQ(text("\xed\xa0\x80"), R"({"base64":"7aCA"})");
  CHECK_EQ(text("-Infinity"), R"({"base64":"LUluZmluaXR5"})");
  CHECK_EQ(Line(ExampleOf({Entry("\x7f\xc2\x85\xe2\x80\xa9\"", "")})),
           R"({"\u007f\u0085\u2029\"":null})");
}

TEST(UnusualRecordsAreRefused) {
  const std::string entry = Entry("a", IntFeature({1}));
  for (const std::string& record : {
           std::string("\x08\x01"),
           Field(1, entry) + Field(1, entry),
           Field(3, ""),
           Field(1, entry).substr(0, 5),
           Field(1, entry + entry),
           ExampleOf({Field(1, Field(2, "") + Field(1, "a"))}),
           ExampleOf({Field(1, Field(1, "a"))}),
           ExampleOf({Field(2, Field(1, "a"))}),
           ExampleOf({Field(1, Field(1, "a") + Field(2, "") + Field(3, ""))}),
           ExampleOf({Entry("\n", "")}),
           ExampleOf({Entry("\xff", "")}),
           ExampleOf({Entry("a", Field(4, ""))}),
           ExampleOf({Entry("a", IntFeature({1}) + IntFeature({2}))}),
           ExampleOf({Entry("a", Field(3, Field(2, "x")))}),
           ExampleOf({Entry("a", Field(3, Field(1, "\x80")))}),
           ExampleOf({Entry("a", Field(3, Field(1, std::string(11, '\xff'))))}),
           ExampleOf({Entry("a", Field(2, Field(1, "abc")))}),
           ExampleOf({Entry("a", Field(2,
                                       "\x0d"
                                       "abc"))}),
           ExampleOf({Entry("a", Field(1, "\x08\x01"))}),
           SequenceOf({}, {Entry("a", Field(2, ""))}),
       }) {
    for (const LineForm form :
         {LineForm::kRows, LineForm::kMessages, LineForm::kRecordsWithKinds}) {
      CHECK_EQ(Line(record, form), "refused");
    }
  }
}

/// The same line in each larger room, and nothing in each smaller one.
TEST(RoomsOfEverySize) {
  for (const std::string& record : {All(), Sequence(), std::string()}) {
    for (const LineForm form :
         {LineForm::kRows, LineForm::kMessages, LineForm::kRecords}) {
      LinePrinter printer(form);
      Outcome outcome;
      const std::string line = Print(&printer, record, 4096, &outcome);
      bool printed = false;
      for (size_t size = 0; size <= line.size() + 64; ++size) {
        const std::string part = Print(&printer, record, size, &outcome);
        printed |= outcome == Outcome::kPrinted;
        CHECK_EQ(part, printed ? line : "");
        CHECK(outcome == (printed ? Outcome::kPrinted : Outcome::kFull));
      }
      CHECK(printed);
    }
  }
}

TEST(TooManyNames) {
  LinePrinter printer(LineForm::kRows);
  Outcome outcome;
  for (size_t i = 0; i <= LineNames::kMostNames; ++i) {
    const std::string record = ExampleOf({Entry(std::to_string(i), "")});
    Print(&printer, record, 128, &outcome);
    CHECK(outcome ==
          (i < LineNames::kMostNames ? Outcome::kPrinted : Outcome::kRefused));
  }
  Print(&printer, ExampleOf({Entry("7", "")}), 128, &outcome);
  CHECK(outcome == Outcome::kPrinted);
}

TEST(LongNames) {
  for (const size_t more : {0, 1}) {
    const std::string name(LineNames::kMostNameBytes + more, 'x');
    LinePrinter printer(LineForm::kRows);
    Outcome outcome;
    const std::string line = Print(&printer, ExampleOf({Entry(name, "")}),
                                   2 * name.size(), &outcome);
    CHECK_EQ(line, more == 0 ? "{\"" + name + "\":null}\n" : "");
    CHECK(outcome == (more == 0 ? Outcome::kPrinted : Outcome::kRefused));
  }
}

/// Finds maps of one name of `size` bytes each until one is refused. Returns
/// the number of names that are kept.
size_t KeptNames(size_t size, LineNames* names) {
  LineNames::Section section;
  for (size_t count = 0;; ++count) {
    std::string name = std::to_string(count);
    name.insert(0, size - name.size(), 'x');
    const std::string map = Entry(name, "");
    if (!names->Find({reinterpret_cast<const uint8_t*>(map.data()), map.size()},
                     &section)) {
      return count;
    }
    const std::string& json = section.entries()[0].name->json;
    CHECK_EQ(json, '"' + name + "\":");
    // Short strings have some bytes in any case.
    CHECK(json.capacity() <= json.size() + 32);
  }
}

TEST(MemoryOfNames) {
  LineNames names;
  const size_t size = LineNames::kMostNameBytes;
  // A name is kept as it is, twice, and as JSON.
  const size_t count = LineNames::kMostBytes / (3 * size + 3);
  CHECK_EQ(KeptNames(size, &names), count);
}

TEST(RecordsOfASlab) {
  const std::string first = ExampleOf({Entry("a", IntFeature({1}))});
  const std::string slab = first + "\x08\x01" + first + first;
  const auto size = static_cast<uint32_t>(first.size());
  const Frame frames[] = {
      {0, size}, {size, 2}, {size + 2, size}, {2 * size + 2, size}};
  const std::string line = "{\"a\":[1]}\n";
  RecordSlabPrinter printer(LineForm::kRows);
  uint8_t memory[64];
  const auto* const data = reinterpret_cast<const uint8_t*>(slab.data());
  // Numbers need some room beside them.
  const RecordLines lines =
      printer.Print({data, slab.size()}, frames, 4, {memory, memory + 45});
  CHECK_EQ(lines.records, 3u);
  CHECK_EQ(lines.bytes, 2 * line.size());
  REQUIRE_EQ(lines.refused.size(), 1u);
  CHECK_EQ(lines.refused[0].index, 1u);
  CHECK_EQ(lines.refused[0].at, line.size());
  CHECK_EQ(std::string(memory, memory + lines.bytes), line + line);
}

}  // namespace
}  // namespace tfr::test
