#include "core/example/parse/feature_keys.h"

#include <cstdint>
#include <string>
#include <vector>

#include "test/example/example_bytes.h"
#include "test/support/check.h"

using namespace tfr;
using namespace tfr::test;
using Outcome = FeatureKeys::Outcome;

namespace {

Outcome Take(FeatureKeys* keys, const std::string& record,
             std::vector<std::string>* found) {
  // A copy of the exact size: sanitizers see reads past it.
  const std::vector<char> bytes(record.begin(), record.end());
  const Outcome outcome = keys->Take(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  found->clear();
  for (size_t i = 0; i < keys->size(); ++i) {
    const Span key = keys->at(i);
    found->emplace_back(reinterpret_cast<const char*>(key.data), key.size);
  }
  return outcome;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST(TakesBytesAndIntegers) {
  FeatureKeys keys("k");
  Keys found;
  const std::string other = Entry("a", BytesFeature({"no"}));
  CHECK_EQ(
      Take(&keys, Field(1, other + Entry("k", BytesFeature({"x", "", "yz"}))),
           &found),
      Outcome::kTaken);
  CHECK(found == Keys({"x", "", "yz"}));
  CHECK_EQ(Take(&keys,
                Field(1, Entry("k", Field(3, PackedInts({7, -1, INT64_MIN})))),
                &found),
           Outcome::kTaken);
  CHECK(found == Keys({"7", "-1", "-9223372036854775808"}));
  CHECK_EQ(
      Take(&keys, Field(1, Entry("k", Field(3, UnpackedInts({5, 6})))), &found),
      Outcome::kTaken);
  CHECK(found == Keys({"5", "6"}));
}

TEST(TheLastKindOfAFeatureWins) {
  FeatureKeys keys("k");
  Keys found;
  const std::string both = BytesFeature({"x"}) + Field(3, PackedInts({1}));
  CHECK_EQ(Take(&keys, Field(1, Entry("k", both)), &found), Outcome::kTaken);
  CHECK(found == Keys({"1"}));
  const std::string twice = BytesFeature({"x"}) + BytesFeature({"y"});
  CHECK_EQ(Take(&keys, Field(1, Entry("k", twice)), &found), Outcome::kTaken);
  CHECK(found == Keys({"x", "y"}));
}

TEST(EachRecordInTurn) {
  const std::string records[] = {
      Field(1, Entry("k", BytesFeature({"x", "y"}))),
      "",
      Field(1, Entry("k", BytesFeature({"z"}))),
      "not an Example",
  };
  std::string slab;
  std::vector<Frame> frames;
  for (const std::string& record : records) {
    frames.push_back({static_cast<uint32_t>(slab.size()),
                      static_cast<uint32_t>(record.size())});
    slab += record;
  }
  const auto* const bytes = reinterpret_cast<const uint8_t*>(slab.data());
  FeatureKeys keys("k");
  size_t row = 9;
  size_t most = 3;
  Keys found;
  const auto add = [&](size_t i, Span key) {
    found.push_back(
        std::to_string(i) +
        std::string(reinterpret_cast<const char*>(key.data), key.size));
    return found.size() <= most;
  };
  CHECK_EQ(keys.TakeEach(bytes, frames.data(), 3, &row, add), Outcome::kTaken);
  CHECK(found == Keys({"0x", "0y", "2z"}));
  found.clear();
  CHECK_EQ(keys.TakeEach(bytes, frames.data(), 4, &row, add),
           Outcome::kMalformed);
  CHECK_EQ(row, size_t{3});
  found.clear();
  most = 2;
  CHECK_EQ(keys.TakeEach(bytes, frames.data(), 4, &row, add),
           Outcome::kTooMany);
  CHECK_EQ(row, size_t{2});
}

TEST(ARecordHasItsKeysAlone) {
  const std::string record = Field(1, Entry("k", BytesFeature({"x", ""})));
  FeatureKeys keys("k");
  CHECK_EQ(keys.Take({reinterpret_cast<const uint8_t*>(record.data()),
                      record.size()}),
           Outcome::kTaken);
  const auto has = [&](const std::string& key) {
    return keys.Has({reinterpret_cast<const uint8_t*>(key.data()), key.size()});
  };
  CHECK(has("x"));
  CHECK(has(""));
  CHECK(!has("y"));
  CHECK(!has("xx"));
}

TEST(ThereMayBeNone) {
  FeatureKeys keys("k");
  Keys found;
  for (const std::string& record :
       {std::string(), Field(1, ""), Field(1, Entry("a", BytesFeature({"x"}))),
        Field(1, Entry("k", "")), Field(1, Entry("k", BytesFeature({})))}) {
    CHECK_EQ(Take(&keys, record, &found), Outcome::kTaken);
    CHECK(found.empty());
  }
}

TEST(FloatsAndOtherRecordsAreFaults) {
  FeatureKeys keys("k");
  Keys found;
  CHECK_EQ(Take(&keys, Field(1, Entry("k", Field(2, Field(1, FloatBits(1))))),
                &found),
           Outcome::kFloats);
  CHECK(found.empty());
  CHECK_EQ(Take(&keys, "not an Example", &found), Outcome::kMalformed);
  CHECK_EQ(
      Take(&keys, Field(1, Entry("k", Field(1, Tag(1, 2) + "\x7f"))), &found),
      Outcome::kMalformed);
  CHECK(found.empty());
}
