// Surveys of records: compared with a plain survey, and limit by limit.

#include "core/example/survey/survey.h"

#include <limits>
#include <random>

#include "test/example/example_checks.h"
#include "test/example/survey_text.h"

namespace tfr::test {
namespace {

using Outcome = Survey::Outcome;
using Records = std::vector<std::string>;

Outcome Take(Survey* survey, const std::string& record) {
  const Slab slab({record});
  return survey->Take({slab.data(), slab.size()});
}

std::string Line(const Records& records) {
  Survey survey;
  for (const std::string& record : records) {
    CHECK(Take(&survey, record) == Outcome::kTaken);
  }
  return TextOf(survey);
}

std::string One(const std::string& feature) {
  return ExampleOf({Entry("a", feature)});
}

const FeatureSummary& First(const Survey& survey) {
  return survey.features()[0]->summary;
}

TEST(KindsCountsAndBounds) {
  CHECK_EQ(CompareSurveys(
               {One(IntFeature({3, 0, std::numeric_limits<int64_t>::min()})),
                One(IntFeature({})), One(""), ExampleOf({}), "",
                One(FloatFeature({1.5F, -0.0F, INFINITY, -INFINITY, NAN})),
                One(FloatFeature(std::vector<float>(2000, 7))),
                One(BytesFeature({"x", "", "x"})),
                ExampleOf({Entry("b", IntFeature({1})),
                           Entry("a", IntFeature({2}))})}),
           "");
  CHECK_EQ(CompareSurveys(
               {SequenceOf({Entry("a", IntFeature({1}))},
                           {Entry("a", FeatureList({IntFeature({1, 2}), "",
                                                    BytesFeature({"z"})})),
                            Entry("m", FeatureList({}))}),
                Field(2, ""), One(IntFeature({5}))}),
           "");
}

TEST(TheLastOfSeveralEntriesCounts) {
  const std::string twice =
      ExampleOf({Entry("a", IntFeature({1})), Entry("b", ""),
                 Entry("a", BytesFeature({"x"}))});
  CHECK_EQ(CompareSurveys({twice}), "");
  Survey survey;
  CHECK(Take(&survey, twice) == Outcome::kTaken);
  CHECK_EQ(First(survey).features[1], 1u);
  CHECK_EQ(First(survey).features[3], 0u);
}

TEST(AFeatureOfTheLastRecordOnly) {
  Records records(1000, One(IntFeature({1})));
  records.push_back(ExampleOf({Entry("z", FloatFeature({2}))}));
  CHECK_EQ(CompareSurveys(records), "");
  CHECK(Line(records).find("z: 1 [0 0 1 0]") != std::string::npos);
}

TEST(RefusedRecordsLeaveNothing) {
  Survey survey;
  CHECK(Take(&survey, One(IntFeature({1}))) == Outcome::kTaken);
  const std::string before = TextOf(survey);
  const std::string good = Entry("b", IntFeature({2}));
  for (const std::string& bad :
       {ExampleOf({good, Entry("a", "\x1a\x05")}),
        ExampleOf({good, Entry("\xff", IntFeature({1}))}),
        ExampleOf({good, Field(1, Field(1, "\xff") + Field(1, "c"))}),
        ExampleOf({good}) + "\x0a"}) {
    CHECK(Take(&survey, bad) == Outcome::kMalformed);
  }
  CHECK_EQ(TextOf(survey), before);
  CHECK_EQ(survey.records(), 1u);
  Survey merged;
  CHECK(merged.Merge(&survey) == Outcome::kTaken);
  CHECK_EQ(merged.features().size(), 1u);
}

TEST(MessagesOfOtherTypes) {
  Survey survey;
  const std::string event = Tag(1, 1) + std::string(8, 'x') + Tag(2, 0) + "\5";
  CHECK(Take(&survey, event) == Outcome::kForeign);
  CHECK(Take(&survey, Field(3, "brain.Event:2")) == Outcome::kForeign);
  // The shape of a TensorProto is in field 2.
  CHECK(Take(&survey, Tag(1, 0) + "\1" + Field(2, Field(2, "\x08\x03"))) ==
        Outcome::kForeign);
  CHECK(Take(&survey, "") == Outcome::kTaken);
  CHECK(Take(&survey, Field(1, "") + Field(2, "")) == Outcome::kTaken);
  CHECK(Take(&survey, One(IntFeature({1})) + Field(7, "more")) ==
        Outcome::kTaken);
  CHECK(Take(&survey, One(Field(9, "more"))) == Outcome::kTaken);
  CHECK_EQ(survey.records(), 4u);
  // Nothing that has a value, and fields of another message.
  CHECK(Take(&survey, One("") + Field(7, "more")) == Outcome::kForeign);
  CHECK_EQ(survey.with_lists(), 1u);
  // A field of feature lists that has none, behind features.
  CHECK(Take(&survey, One("") + Field(2, "")) == Outcome::kTaken);
  CHECK_EQ(survey.with_lists(), 2u);
}

TEST(DistinctValuesUpToTheirLimits) {
  const auto with = [](size_t count, size_t size) {
    Records records;
    for (size_t i = 0; i < count; ++i) {
      std::string word = std::to_string(i);
      word.resize(size, 'x');
      records.push_back(ExampleOf(
          {Entry("w", BytesFeature({word, word})),
           Entry("i", IntFeature({static_cast<int64_t>(i * 0x100000001)}))}));
    }
    return records;
  };
  for (const size_t count : {1, 99, 100, 101, 300}) {
    CHECK_EQ(CompareSurveys(with(count, 3)), "");
  }
  CHECK_EQ(CompareSurveys(with(32, 128)), "");
  CHECK_EQ(CompareSurveys(with(33, 128)), "");
  CHECK_EQ(CompareSurveys(with(1, 129)), "");
}

TEST(TextAndPictures) {
  Survey survey;
  const std::string jpeg = "\xff\xd8\xff\xe0";
  const std::string png = "\x89PNG\r\n\x1a\n";
  const std::string webp = "RIFF1234WEBPVP8 ";
  const std::string bmp =
      "BM" + std::string(12, '\0') + "\x28" + std::string(11, '\0');
  const Records values = {jpeg,
                          png,
                          "GIF89a..",
                          webp,
                          bmp,
                          "II*" + std::string(1, '\0'),
                          "BMW",
                          "plain",
                          "tab\tand\r\nline",
                          "\x1b[31m",
                          "\xc3\xa9t\xc3\xa9",
                          "\xc0\x80",
                          "\xed\xa0\x80",
                          "\xf4\x90\x80\x80",
                          "\xc2\x85"};
  CHECK(Take(&survey, One(BytesFeature(values))) == Outcome::kTaken);
  const BytesSummary& bytes = First(survey).bytes;
  const auto count = [&](Picture picture) {
    return bytes.pictures[static_cast<size_t>(picture)];
  };
  CHECK_EQ(count(Picture::kJpeg), 1u);
  CHECK_EQ(count(Picture::kPng), 1u);
  CHECK_EQ(count(Picture::kGif), 1u);
  CHECK_EQ(count(Picture::kWebp), 1u);
  CHECK_EQ(count(Picture::kBmp), 1u);
  CHECK_EQ(count(Picture::kTiff), 1u);
  CHECK_EQ(count(Picture::kNone), 9u);
  CHECK_EQ(bytes.binary, 5u);
  // BMP and TIFF have bytes 0; then ESC and U+0085.
  CHECK_EQ(bytes.control, 4u);
  REQUIRE_EQ(survey.pictures().size(), 6u);
  CHECK_EQ(survey.pictures()[1].size, png.size());
  CHECK_EQ(survey.pictures()[1].record, 0u);
}

TEST(TextIsJudgedAtEveryOffset) {
  for (size_t before = 0; before < 20; ++before) {
    for (size_t after = 0; after < 20; ++after) {
      const auto kind = [&](const std::string& middle) {
        const std::string text =
            std::string(before, 'a') + middle + std::string(after, 'b');
        return TextKindOf(reinterpret_cast<const uint8_t*>(text.data()),
                          text.size());
      };
      CHECK(kind("\xe2\x82\xac") == TextKind::kText);
      CHECK(kind("\t") == TextKind::kText);
      CHECK(kind("~ ") == TextKind::kText);
      CHECK(kind("\x7f") == TextKind::kControl);
      CHECK(kind(std::string(1, '\0')) == TextKind::kControl);
      CHECK(kind("\x1f") == TextKind::kControl);
      CHECK(kind("\x80") == TextKind::kBinary);
      CHECK(kind("\xe2\x82") == TextKind::kBinary);
      CHECK(kind("\xf0\x9f\x98\x80") == TextKind::kText);
    }
  }
}

TEST(PicturesAreKeptUpToALimit) {
  Survey survey;
  const Records many(40, "GIF89a");
  CHECK(Take(&survey, One(BytesFeature(many))) == Outcome::kTaken);
  CHECK(Take(&survey, ExampleOf({Entry("b", BytesFeature(many))})) ==
        Outcome::kTaken);
  CHECK_EQ(survey.pictures().size(), 32u);
  CHECK_EQ(survey.pictures()[16].record, 1u);
  Survey merged;
  CHECK(Take(&merged, ExampleOf({Entry("b", "")})) == Outcome::kTaken);
  CHECK(merged.Merge(&survey) == Outcome::kTaken);
  CHECK_EQ(survey.pictures()[0].feature, 1u);
  CHECK_EQ(survey.pictures()[16].feature, 0u);
}

TEST(TooManyFeatures) {
  const auto with = [](size_t from, size_t count) {
    std::vector<std::string> entries;
    for (size_t i = 0; i < count; ++i) {
      entries.push_back(Entry(std::to_string(from + i), ""));
    }
    return ExampleOf(entries);
  };
  constexpr size_t kHalf = Survey::kMostFeatures / 2;
  Survey survey;
  CHECK(Take(&survey, with(0, kHalf)) == Outcome::kTaken);
  CHECK(Take(&survey, with(0, 2 * kHalf + 1)) == Outcome::kTooManyFeatures);
  survey.Clear();
  CHECK(Take(&survey, with(0, 2 * kHalf)) == Outcome::kTaken);
  Survey other;
  CHECK(Take(&other, with(0, kHalf)) == Outcome::kTaken);
  CHECK(survey.Merge(&other) == Outcome::kTaken);
  CHECK(Take(&other, with(3 * kHalf, 1)) == Outcome::kTaken);
  CHECK(survey.Merge(&other) == Outcome::kTooManyFeatures);
}

TEST(RandomRecords) {
  std::mt19937 random(7);
  const auto below = [&](size_t bound) { return random() % bound; };
  const auto feature = [&]() -> std::string {
    switch (below(5)) {
      case 0:
        return "";
      case 1:
        return BytesFeature(Records(below(3), std::string(below(4), 'x')));
      case 2:
        return FloatFeature(std::vector<float>(below(4), 0.5F));
      case 3:
        return Field(3, UnpackedInts({static_cast<int64_t>(below(9))}));
      default:
        return IntFeature(std::vector<int64_t>(below(4), -1));
    }
  };
  for (int run = 0; run < 200; ++run) {
    Records records;
    for (size_t i = below(40); i > 0; --i) {
      Records context;
      Records lists;
      for (size_t k = below(6); k > 0; --k) {
        context.push_back(Entry(std::string(1, 'a' + below(6)), feature()));
      }
      for (size_t k = below(3); k > 0; --k) {
        lists.push_back(Entry(std::string(1, 'a' + below(6)),
                              FeatureList({feature(), feature()})));
      }
      std::string record = SequenceOf(context, lists);
      if (below(9) == 0) record.resize(record.size() / 2);
      records.push_back(std::move(record));
    }
    CHECK_EQ(CompareSurveys(records), "");
  }
}

}  // namespace
}  // namespace tfr::test
