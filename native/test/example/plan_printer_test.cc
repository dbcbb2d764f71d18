// Rows that a plan parses, as CSV and as JSON: their forms, what is refused,
// and rooms that are too small. TypeScript's printers, which are the rule, are
// compared in test/unit.

#include "core/example/print/plan_printer.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/example/print/csv_printer.h"
#include "core/example/print/json_row_printer.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

using Records = std::vector<std::string>;

ColumnPlan Column(const std::string& key, Kind kind, int64_t count,
                  bool optional = false) {
  ColumnPlan column;
  column.key = key;
  column.kind = kind;
  column.count = count;
  column.optional = optional;
  column.required = count >= 0 && !optional;
  return column;
}

std::shared_ptr<const Plan> PlanOf(std::vector<ColumnPlan> columns) {
  return std::make_shared<const Plan>(std::move(columns), false, false);
}

std::shared_ptr<const Plan> Three(bool optional) {
  return PlanOf(
      {Column("i", Kind::kInt64, 1, optional),
       Column("f", Kind::kFloat, 1, optional),
       Column("b", Kind::kBytes, optional ? 1 : kAnyCount, optional)});
}

std::string Record(int64_t i, float f, const std::string& b) {
  return ExampleOf({Entry("i", IntFeature({i})), Entry("f", FloatFeature({f})),
                    Entry("b", BytesFeature({b}))});
}

/// The lines of `records`, with "!" in the place of a refused one. Memory of
/// exactly the sizes shows sanitizers accesses beyond it.
std::string Lines(SlabPrinter* printer, const Records& records,
                  size_t size = 65536, size_t* printed = nullptr) {
  std::vector<Frame> frames;
  const std::string all = Join(records);
  const auto slab = std::make_unique<uint8_t[]>(all.size());
  std::copy(all.begin(), all.end(), slab.get());
  uint32_t at = 0;
  for (const std::string& record : records) {
    const auto length = static_cast<uint32_t>(record.size());
    frames.push_back({at, length});
    at += length;
  }
  const auto memory = std::make_unique<uint8_t[]>(size);
  RecordLines lines =
      printer->Print({slab.get(), all.size()}, frames.data(), frames.size(),
                     {memory.get(), memory.get() + size});
  if (printed != nullptr) {
    *printed = lines.records;
  } else {
    CHECK_EQ(lines.records, records.size());
  }
  std::string text(memory.get(), memory.get() + lines.bytes);
  for (size_t i = lines.refused.size(); i-- > 0;) {
    text.insert(lines.refused[i].at, "!");
  }
  return text;
}

std::string Csv(const Records& records, bool optional = true,
                uint8_t delimiter = ',') {
  CsvPrinter printer(Three(optional), delimiter);
  return Lines(&printer, records);
}

TEST(CsvRows) {
  CHECK_EQ(Csv({Record(-1, 0.5F, "x"), ExampleOf({}),
                Record(std::numeric_limits<int64_t>::min(), -0.0F, ""),
                Record(0, std::numeric_limits<float>::infinity(), "12"),
                ExampleOf({Entry("b", BytesFeature({"a,b"}))})}),
           "-1,0.5,x\n,,\n-9223372036854775808,-0.0,\"\"\n0,Infinity,\"12\"\n"
           ",,\"a,b\"\n");
}

TEST(CsvQuotes) {
  const auto field = [](const std::string& text, uint8_t delimiter) {
    const std::string line = Csv({Record(1, 2, text)}, true, delimiter);
    return line.size() > 6 ? line.substr(6, line.size() - 7) : line;
  };
  for (const size_t more : {0, 9}) {
    const std::string end(more, 'x');
    CHECK_EQ(field("a;b" + end, ';'), "\"a;b" + end + "\"");
    CHECK_EQ(field("a;b" + end, ','), "a;b" + end);
    CHECK_EQ(field("\n" + end, ','), "\"\n" + end + "\"");
    CHECK_EQ(field("\r" + end, ','), "\"\r" + end + "\"");
    CHECK_EQ(field("\t\x01 " + end, ','), "\t\x01 " + end);
    CHECK_EQ(field("\"a\"" + end, ','), "\"\"\"a\"\"" + end + "\"");
    CHECK_EQ(field("\xc3\xa9" + end, ','), "\xc3\xa9" + end);
    CHECK_EQ(field(std::string("\0", 1) + end, ','), "!");
    CHECK_EQ(field("\xc3" + end, ','), "!");
    CHECK_EQ(field("\xed\xa0\x80" + end, ','), "!");
  }
}

TEST(CsvDelimitersInNumbers) {
  CHECK_EQ(Csv({Record(10, 2.5F, "x")}, true, '.'), "10.\"2.5\".x\n");
  CHECK_EQ(Csv({Record(10, 2.5F, "x")}, true, '0'), "\"10\"02.50x\n");
  CHECK_EQ(Csv({Record(-10, 2, "x")}, true, '-'), "\"-10\"-2.0-x\n");
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK_EQ(Csv({Record(1, infinity, "x")}, true, 'i'), "1i\"Infinity\"ix\n");
}

TEST(CsvRefusesWhatHasNoField) {
  const std::string good = Record(1, 2, "x");
  const auto bytes = [](const std::vector<std::string>& values) {
    return ExampleOf({Entry("i", IntFeature({1})),
                      Entry("f", FloatFeature({2})),
                      Entry("b", BytesFeature(values))});
  };
  CHECK_EQ(
      Csv({bytes({"a", "b"}), good, bytes({}), bytes({"c"}), "\x08"}, false),
      "!1,2.0,x\n!1,2.0,c\n!");
  // A required feature is missing, another has another kind, or two values.
  CHECK_EQ(Csv({good, ExampleOf({}), good}, false), "1,2.0,x\n!1,2.0,x\n");
  CHECK_EQ(Csv({ExampleOf({Entry("i", FloatFeature({1}))}), good}),
           "!1,2.0,x\n");
  CHECK_EQ(Csv({ExampleOf({Entry("i", IntFeature({1, 2}))}), good}),
           "!1,2.0,x\n");
  // An Event may begin like this.
  CHECK_EQ(Csv({std::string("\x09\0\0\0\0\0\0\0\0", 9), "", good}),
           "!,,\n1,2.0,x\n");
  CsvPrinter none(PlanOf({}), ',');
  CHECK_EQ(Lines(&none, {good}), "!");
  CsvPrinter two(PlanOf({Column("a", Kind::kInt64, 2)}), ',');
  CHECK_EQ(Lines(&two, {ExampleOf({Entry("a", IntFeature({1, 2}))})}), "!");
}

TEST(CsvRowsThatAreTooLong) {
  CsvPrinter printer(PlanOf({Column("a", Kind::kBytes, 1)}), ',');
  const size_t most = CsvPrinter::kMostRowBytes;
  // The quotes double.
  const std::string record =
      ExampleOf({Entry("a", BytesFeature({std::string(most / 2, '"')}))});
  CHECK_EQ(Lines(&printer, {record, record}, 2 * most), "!!");
}

TEST(CsvTextsThatLookLikeNumbers) {
  CsvPrinter printer(PlanOf({Column("a", Kind::kBytes, 1)}), ',');
  const auto line = [&printer](const std::string& text) {
    return Lines(&printer, {ExampleOf({Entry("a", BytesFeature({text}))})});
  };
  for (const char* number :
       {"0", "-7", "9223372036854775807", ".5", "1e5", "3e38", "NaN", "-inf"}) {
    CHECK_EQ(line(number), std::string("\"") + number + "\"\n");
  }
  for (const char* text :
       {"-", "+1", "007", "9223372036854775808", "1e400", "INF", "1 "}) {
    CHECK_EQ(line(text), std::string(text) + "\n");
  }
  CHECK_EQ(line("1e39"), "!");
}

RowMember Member(const std::string& name, uint32_t column,
                 std::vector<uint32_t> shape = {}, bool text = false) {
  return {'"' + name + "\":", column, std::move(shape), text};
}

TEST(JsonRows) {
  auto all = PlanOf({Column("i", Kind::kInt64, 1), Column("f", Kind::kFloat, 4),
                     Column("b", Kind::kBytes, kAnyCount),
                     Column("o", Kind::kFloat, 1, true)});
  JsonRowPrinter printer(
      all,
      {Member("b", 2), Member("i", 0), Member("f", 1, {2, 2}), Member("o", 3)},
      false);
  const std::string record = ExampleOf(
      {Entry("i", IntFeature({-7})), Entry("f", FloatFeature({1, 2, 3, 4.5F})),
       Entry("b", BytesFeature({"x", "\x01", "NaN"}))});
  CHECK_EQ(Lines(&printer, {record, ExampleOf({}), record}),
           R"({"b":["x",{"base64":"AQ=="},"NaN"],"i":-7,)"
           R"("f":[[1.0,2.0],[3.0,4.5]],"o":null})"
           "\n!"
           R"({"b":["x",{"base64":"AQ=="},"NaN"],"i":-7,)"
           R"("f":[[1.0,2.0],[3.0,4.5]],"o":null})"
           "\n");
  JsonRowPrinter none(all, {}, false);
  CHECK_EQ(Lines(&none, {record}), "{}\n");
}

TEST(JsonShapesWithoutValues) {
  JsonRowPrinter printer(
      PlanOf({Column("a", Kind::kInt64, 0)}),
      {Member("x", 0, {0}), Member("y", 0, {2, 0}), Member("z", 0, {0, 2})},
      false);
  CHECK_EQ(Lines(&printer, {ExampleOf({Entry("a", IntFeature({}))})}),
           "{\"x\":[],\"y\":[[],[]],\"z\":[]}\n");
}

TEST(JsonTexts) {
  JsonRowPrinter printer(PlanOf({Column("a", Kind::kBytes, 1)}),
                         {Member("a", 0, {}, true)}, false);
  const auto one = [](const std::string& value) {
    return ExampleOf({Entry("a", BytesFeature({value}))});
  };
  CHECK_EQ(Lines(&printer, {one("\xff"), one("\x01"), one("\xc3\xa9")}),
           "!{\"a\":{\"base64\":\"AQ==\"}}\n{\"a\":\"\xc3\xa9\"}\n");
}

TEST(JsonRowsThatWouldBeCutAreRefused) {
  auto plan = PlanOf({Column("i", Kind::kInt64, kAnyCount),
                      Column("b", Kind::kBytes, kAnyCount)});
  JsonRowPrinter printer(plan, {Member("i", 0), Member("b", 1)}, true);
  const auto whole = [&printer](size_t ints, const std::string& value) {
    return Lines(&printer,
                 {ExampleOf({Entry("i", IntFeature(std::vector<int64_t>(ints))),
                             Entry("b", BytesFeature({value}))})}) != "!";
  };
  CHECK(whole(32, std::string(256, 'x')) && whole(0, std::string(48, '\xff')));
  CHECK(!whole(33, "") && !whole(0, std::string(257, 'x')));
  CHECK(!whole(0, std::string(49, '\xff')));
  for (const uint32_t outer : {16u, 17u}) {
    JsonRowPrinter nested(PlanOf({Column("i", Kind::kInt64, outer)}),
                          {Member("i", 0, {outer, 1})}, true);
    const std::string record =
        ExampleOf({Entry("i", IntFeature(std::vector<int64_t>(outer)))});
    CHECK_EQ(Lines(&nested, {record}) == "!", outer == 17);
  }
}

TEST(RoomsOfEverySize) {
  const Records records = {Record(1, 0.5F, "x"), "\x08",
                           Record(-123456, 1e-9F, "\"q\" and a longer text"),
                           Record(3, 4, "\xff")};
  CsvPrinter csv(Three(false), ',');
  JsonRowPrinter json(Three(false),
                      {Member("b", 2), Member("f", 1), Member("i", 0)}, false);
  for (SlabPrinter* printer :
       {static_cast<SlabPrinter*>(&csv), static_cast<SlabPrinter*>(&json)}) {
    const std::string all = Lines(printer, records);
    size_t most = 0;
    for (size_t size = 0; size < 300; ++size) {
      size_t printed;
      const std::string some = Lines(printer, records, size, &printed);
      CHECK_EQ(some, all.substr(0, some.size()));
      CHECK(printed >= most && printed <= records.size());
      most = printed;
    }
    CHECK_EQ(most, records.size());
  }
}

TEST(ManyRecordsAreParsedInParts) {
  CsvPrinter printer(Three(true), ',');
  Records records;
  std::string wanted;
  for (int i = 0; i < 1500; ++i) {
    const bool bad = i % 500 == 255;
    // Some parts end by their size.
    const std::string text(i % 3 == 0 ? 700 : 1, 'a');
    records.push_back(bad ? "\x08" : Record(i, 1, text));
    wanted += bad ? "!" : std::to_string(i) + ",1.0," + text + "\n";
  }
  CHECK_EQ(Lines(&printer, records, 1 << 20), wanted);
}

/// Prints 600 records without features by a plan of `columns`, and returns the
/// memory that this took.
size_t HeldBytes(std::vector<ColumnPlan> columns) {
  constexpr size_t kRecords = 600;
  JsonRowPrinter printer(PlanOf(std::move(columns)), {}, false);
  std::string wanted;
  for (size_t i = 0; i < kRecords; ++i) wanted += "{}\n";
  CHECK_EQ(Lines(&printer, Records(kRecords, ExampleOf({}))), wanted);
  return printer.HeldBytes();
}

ColumnPlan WithDefault(Kind kind, size_t count, std::string feature) {
  ColumnPlan column = Column("a", kind, static_cast<int64_t>(count));
  column.fallback = std::move(feature);
  return column;
}

ColumnPlan FloatDefault(size_t count) {
  return WithDefault(Kind::kFloat, count,
                     FloatFeature(std::vector<float>(count)));
}

ColumnPlan IntDefault(size_t count) {
  return WithDefault(Kind::kInt64, count,
                     IntFeature(std::vector<int64_t>(count)));
}

ColumnPlan TextDefault(size_t count, size_t size) {
  const std::vector<std::string> values(count, std::string(size, 'a'));
  return WithDefault(Kind::kBytes, count, BytesFeature(values));
}

TEST(LongDefaultsAreParsedForFewRowsTogether) {
  for (const ColumnPlan& column :
       {FloatDefault(50000), IntDefault(25000), TextDefault(1, 200000),
        TextDefault(30000, 0)}) {
    // Arrays double when they grow.
    CHECK(HeldBytes({column}) < size_t{2} << 20);
  }
  // Each row is longer than the limit.
  CHECK(HeldBytes({FloatDefault(300000)}) < 2 * 300000 * sizeof(float));
}

TEST(ManyColumnsAreParsedForFewRowsTogether) {
  constexpr size_t kColumns = 20000;
  std::vector<ColumnPlan> columns;
  for (size_t i = 0; i < kColumns; ++i) {
    columns.push_back(Column(std::to_string(i), Kind::kInt64, 1, true));
  }
  // The shortest arrays have 64 items.
  CHECK(HeldBytes(std::move(columns)) <=
        kColumns * 64 * (sizeof(int32_t) + sizeof(int64_t)));
}

TEST(ShortDefaultsAreParsedForManyRowsTogether) {
  CHECK(HeldBytes({FloatDefault(1)}) >= 256 * sizeof(float));
}

}  // namespace
}  // namespace tfr::test
