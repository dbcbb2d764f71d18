// The types of records, and what counts as an Example with unknown fields.

#include "core/example/type/record_type.h"

#include <string>
#include <string_view>

#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

Span SpanOf(std::string_view record) {
  return {reinterpret_cast<const uint8_t*>(record.data()), record.size()};
}

RecordType TypeOf(std::string_view record) {
  return RecordTypeOf(SpanOf(record));
}

std::string Entry(std::string_view name, std::string_view value) {
  return Field(1, Field(1, name) + Field(2, value));
}

const std::string kTitle = Entry("title", BytesFeature({"red shoes"}));
const std::string kExampleBytes = Field(1, kTitle);

TEST(ListsOfExamples) {
  const std::string one = Field(1, kExampleBytes);
  CHECK(TypeOf(one) == RecordType::kExampleListWithContext);
  CHECK(TypeOf(one + one) == RecordType::kExampleListWithContext);
  CHECK(TypeOf(Field(2, kExampleBytes)) == RecordType::kExampleListWithContext);
  // The bytes of an Example with one feature that has no name and no kind.
  CHECK(TypeOf(Field(1, Field(1, ""))) == RecordType::kExample);
}

TEST(LogsOfPredictions) {
  const std::string model = Field(1, Field(1, "ranker"));
  const std::string input = Field(2, Field(1, Field(1, kExampleBytes)));
  for (const uint64_t log : {2u, 3u, 5u, 6u}) {
    const bool tensors = log == 6;
    const std::string content = tensors ? Entry("x", "\x08\1") : "";
    const std::string outputs = content.empty() ? "" : Field(2, content);
    const std::string record =
        Field(log, Field(1, model + (log < 5 ? input : "")) + outputs);
    CHECK(TypeOf(record) == RecordType::kPredictionLog);
    CHECK(TypeOf(Field(1, model) + record) == RecordType::kPredictionLog);
  }
  CHECK(TypeOf(Field(4, Field(1, Field(1, model + Field(2, "m")) + input))) ==
        RecordType::kPredictionLog);
  // Metadata alone, and a model without a name, are no evidence.
  CHECK(TypeOf(Field(6, Field(1, Field(1, "")))) == RecordType::kUnknown);
}

TEST(UnknownFieldsBesideFeatures) {
  for (const std::string& record :
       {kExampleBytes + Field(9, "more"), Field(9, "more") + kExampleBytes,
        Field(1, Tag(7, 0) + "\1" + kTitle),
        Field(1, Entry("a", Field(9, "x") + IntFeature({1}))),
        Field(1, Entry("a", Field(9, "x"))),
        Field(1, Entry("\xe4", IntFeature({1})))}) {
    CHECK(TypeOf(record) == RecordType::kExtendedExample);
    CHECK(!IsForeign(SpanOf(record)));
  }
  // Nothing in them has a name or a value.
  for (const std::string& record :
       {Field(9, "more"), Field(1, Tag(7, 0) + "\1"),
        Field(1, Entry("a", "")) + Field(9, "more"),
        Field(1, Entry("a", Field(1, "text")))}) {
    CHECK(TypeOf(record) == RecordType::kUnknown);
    CHECK(IsForeign(SpanOf(record)));
  }
}

TEST(OtherTypesAreClear) {
  const std::string event = Tag(1, 1) + std::string(8, '\0') + Tag(2, 0) + "\5";
  const std::string lists =
      kExampleBytes + Field(2, Entry("s", Field(1, IntFeature({1}))));
  CHECK(OtherTypeOf(SpanOf(event), true) == RecordType::kEvent);
  CHECK(OtherTypeOf(SpanOf(event), false) == RecordType::kEvent);
  CHECK(OtherTypeOf(SpanOf(lists), true) == RecordType::kExample);
  CHECK(OtherTypeOf(SpanOf(lists), false) == RecordType::kSequenceExample);
  for (const std::string& record : {std::string(), kExampleBytes, lists}) {
    CHECK(!IsForeign(SpanOf(record)));
  }
}

TEST(EveryCutIsJudged) {
  const std::string whole = Field(1, kExampleBytes) + Field(2, kExampleBytes);
  for (size_t size = 1; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    const bool between = size == Field(1, kExampleBytes).size();
    CHECK_EQ(TypeOf(cut) == RecordType::kExampleListWithContext, between);
  }
}

}  // namespace
}  // namespace tfr::test
