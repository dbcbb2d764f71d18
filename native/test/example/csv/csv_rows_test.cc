// Rows of CSV: their fields, the kinds of columns, their records, and the rows
// that JavaScript must decide.

#include "core/example/csv/csv_rows.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/example/csv/csv_encoder.h"
#include "core/example/csv/csv_survey.h"
#include "core/example/decode/example_decoder.h"
#include "test/example/exact_bytes.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

using Texts = std::vector<std::string>;

CsvRules RulesOf(const std::vector<CsvColumn>& columns) {
  CsvRules rules;
  rules.columns = columns;
  return rules;
}

/// The fields of `row`, in brackets if they have quotes; "refused" or "blank".
std::string FieldsOf(const std::string& row, size_t columns) {
  CsvRows rows;
  rows.Begin(RulesOf(std::vector<CsvColumn>(columns)));
  const Exact exact(row);
  const CsvState state = rows.Take(exact.span());
  if (state != CsvState::kTaken) {
    return state == CsvState::kBlank ? "blank" : "refused";
  }
  std::string text;
  for (const auto& [field, quoted] : rows.fields()) {
    const std::string value(reinterpret_cast<const char*>(field.data),
                            field.size);
    text += quoted ? '[' + value + ']' : '(' + value + ')';
  }
  return text;
}

TEST(Fields) {
  CHECK_EQ(FieldsOf("a,b", 2), "(a)(b)");
  CHECK_EQ(FieldsOf(",", 2), "()()");
  CHECK_EQ(FieldsOf("a,", 2), "(a)()");
  CHECK_EQ(FieldsOf("\"\",\"a,b\"", 2), "[][a,b]");
  CHECK_EQ(FieldsOf("\"a\"\"b\",\"\"\"\"", 2), "[a\"b][\"]");
  CHECK_EQ(FieldsOf("\"a\r\nb\",c", 2), "[a\r\nb](c)");
  CHECK_EQ(FieldsOf("", 1), "()");
  CHECK_EQ(FieldsOf("", 2), "blank");
  for (const char* row :
       {"a", "a,b,c", "a,b,", "\"a,b", "\"a\"b,c", "a\"b,c", "a,\"b\"\"",
        "\ra,b", "a\r,b", "a,b\r", "a,\"", "\"\"\",b", "a\nb,c"}) {
    CHECK_EQ(FieldsOf(row, 2), "refused");
  }
}

TEST(LineEndsWithinRows) {
  CsvRows rows;
  rows.Begin(RulesOf(std::vector<CsvColumn>(1)));
  for (const char* row : {"a", "b", "\"\n\"", "c", "\"\n\n", "d"}) {
    const Exact exact(row);
    rows.Take(exact.span());
  }
  CHECK(rows.breaks() == (std::vector<uint32_t>{0, 0, 0, 1, 1, 3, 3}));
  rows.Clear();
  CHECK(rows.breaks().empty());
}

TEST(KindsOfColumns) {
  CsvRows rows;
  CsvRules rules = RulesOf({{"a", Kind::kBytes}, {"b", Kind::kNone}});
  rules.na = {"NULL"};
  rows.Begin(rules);
  CsvSurvey survey;
  survey.Clear(2);
  for (const char* row : {"1,x", "NULL,\xff", "2,y", ",", "\"3\",z", "1.5,",
                          "1e39,x", "\"\",x", "x"}) {
    const Exact exact(row);
    survey.Add(exact.span(), &rows);
  }
  const CsvColumnFields& fields = survey.columns()[0];
  CHECK_EQ(fields.counts[0], 2u);
  CHECK_EQ(fields.counts[1], 1u);
  CHECK_EQ(fields.counts[2], 2u);
  CHECK_EQ(fields.missing, 1u);
  CHECK_EQ(fields.quoted_empty, 0u);
  CHECK_EQ(survey.columns()[1].counts[2], 0u);
  CHECK(survey.refused() == (std::vector<uint32_t>{1, 6, 8}));
  std::string firsts;
  for (const auto& [row, column, literal] : survey.firsts()) {
    firsts += std::to_string(row) + ':' + std::to_string(column) + '=' +
              std::to_string(literal) + ' ';
  }
  CHECK_EQ(firsts, "0:0=0 4:0=2 5:0=1 ");
}

TEST(Records) {
  CsvRules rules = RulesOf({{"z", Kind::kInt64, true},
                            {"skipped", Kind::kNone},
                            {"f", Kind::kFloat},
                            {"t", Kind::kBytes, false, true}});
  CsvRows rows;
  rows.Begin(rules);
  CsvEncoder encoder;
  encoder.Clear(rules);
  for (const char* row :
       {"-1,x,0.5,text", "", ",x,1,y", "7,,,\"\"", "x,,,", "3,,0.123456789,"}) {
    const Exact exact(row);
    REQUIRE(encoder.Add(exact.span(), &rows));
  }
  std::string states;
  for (const CsvState state : encoder.states()) {
    states += std::to_string(static_cast<int>(state));
  }
  CHECK_EQ(states, "102121");
  REQUIRE(encoder.frames().size() == 3);
  const auto entry = [](const std::string& name, const std::string& feature) {
    return Field(1, Field(1, name) + Field(2, feature));
  };
  const auto record = [&encoder](size_t i) {
    const auto [offset, length] = encoder.frames()[i];
    return std::string(
        reinterpret_cast<const char*>(encoder.data().data()) + offset, length);
  };
  CHECK_EQ(record(0), Field(1, entry("f", Field(2, PackedFloats({0.5F}))) +
                                   entry("t", Field(1, Field(1, "text"))) +
                                   entry("z", Field(3, PackedInts({-1})))));
  CHECK_EQ(record(1), Field(1, entry("t", Field(1, Field(1, ""))) +
                                   entry("z", Field(3, PackedInts({7})))));
  CHECK(encoder.rounded() == (std::vector<uint32_t>{0, 0, 1, 0}));
  REQUIRE(encoder.roundings().size() == 1);
  CHECK_EQ(encoder.roundings()[0].row, 5u);
  CHECK_EQ(encoder.roundings()[0].column, 2u);
}

/// Whatever the bytes are, records are valid, and rows do not depend on others.
TEST(AnyBytes) {
  std::mt19937 random(1);
  constexpr char kBytes[] = "\"\",,,\r\n\t01.e-+ aN\xff\xc3\xa9\0";
  const CsvRules rules =
      RulesOf({{"i", Kind::kInt64}, {"f", Kind::kFloat}, {"t", Kind::kBytes}});
  CsvRows rows;
  rows.Begin(rules);
  CsvEncoder encoder;
  encoder.Clear(rules);
  CsvSurvey survey;
  survey.Clear(3);
  size_t taken = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string row;
    for (size_t size = random() % 14; size > 0; --size) {
      row += kBytes[random() % (sizeof(kBytes) - 1)];
    }
    const Exact exact(row);
    REQUIRE(encoder.Add(exact.span(), &rows));
    CsvRows alone;
    alone.Begin(rules);
    survey.Add(exact.span(), &alone);
    const size_t before = taken;
    taken += encoder.states().back() == CsvState::kTaken ? 1 : 0;
    REQUIRE(encoder.frames().size() == taken);
    if (taken == before) continue;
    const auto [offset, length] = encoder.frames().back();
    ExampleDecoder decoder(false);
    CHECK(decoder.Decode({encoder.data().data() + offset, length}) ==
          ExampleDecoder::Outcome::kDecoded);
  }
  CHECK(taken > 100);
}

}  // namespace
}  // namespace tfr::test
