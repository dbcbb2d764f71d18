/// Reading goes on after damage with the next record that can be found: the
/// same one for all sources, and every byte is in a record or in a lost region.
#include <algorithm>
#include <string>
#include <vector>

#include "core/record/recovery/frame_search.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"
#include "test/support/salvaging.h"

namespace tfr::test {
namespace {

using Records = std::vector<std::string>;

/// Salvages `file` from three sources, which must agree.
Reading Salvaged(const std::string& file, ReadOptions options = {}) {
  options = Salvaging(options);
  const Reading whole = Read(file, 1 << 20, 1 << 16, options, true);
  CHECK(SameSalvage(whole, Read(file, 7, 64, options, true)));
  CHECK(SameSalvage(whole, ReadPositioned(file, 256, options, true)));
  return whole;
}

std::string Flipped(std::string file, size_t at, int bit = 0) {
  file[at] = static_cast<char>(file[at] ^ (1 << bit));
  return file;
}

}  // namespace

TEST(TheLengthFollowsFromItsChecksum) {
  for (const uint64_t length : {0u, 1u, 255u, 65536u, 0x7fffffffu}) {
    const std::string header = Header(length);
    CHECK_EQ(LengthOfCrc(LoadLE32(Data(header) + 8)), length);
  }
}

TEST(HeadersAreFoundAtEveryPlace) {
  const std::string header = Header(3);
  for (size_t at = 0; at < 300; ++at) {
    for (const char filler : {'x', '\0'}) {
      const std::string bytes = std::string(at, filler) + header + "abc";
      CHECK_EQ(FindHeader(Data(bytes), bytes.size(), 0, 100), at);
      CHECK_EQ(FindHeader(Data(bytes), bytes.size(), 0, 2), at + 4);
    }
  }
  CHECK_EQ(FindHeader(nullptr, 0, 0, 100), 0u);
}

TEST(OverlappingHeadersTakeLittleTime) {
  // 100,000 right headers, each of a record that ends with the file.
  constexpr size_t kHeaders = 100000;
  std::string file(1, 'x');
  for (size_t i = 0; i < kHeaders; ++i) {
    file += Header((kHeaders - i - 1) * kHeaderSize);
  }
  file += Framed(std::string("last"));
  const Reading reading = Read(file, 1 << 20, 1 << 16, Salvaging(), true);
  CHECK(reading.records == Records({"last"}));
}

TEST(KeptChecksumsGiveTheSameAnswers) {
  std::string bytes(9000, 'a');
  const std::string record = Framed(std::string(20000, 'r'));
  bytes += record + std::string(5000, 'b') + record;
  DataChecks checks;
  // Reads much in vain first.
  const std::string wrong = Header(8 << 20) + std::string((8 << 20) + 4, 'w');
  for (int i = 0; i < 3; ++i) CHECK(!checks.IsRight(Data(wrong), 0));
  checks.Clear();
  CHECK(checks.IsRight(Data(bytes), 9000));
  CHECK(checks.IsRight(Data(bytes), 14000 + record.size()));
  bytes[9500] = 'x';
  checks.Clear();
  CHECK(!checks.IsRight(Data(bytes), 9000));
  CHECK(checks.IsRight(Data(bytes), 14000 + record.size()));
}

TEST(OneFlippedBitCostsOneRecord) {
  const std::string file = Framed(kFive);
  for (size_t at = 0; at < file.size(); ++at) {
    // The long record is like itself everywhere.
    if (at > 100 && at + 100 < file.size()) continue;
    const Reading reading = Salvaged(Flipped(file, at, at % 8));
    CHECK_EQ(reading.records.size(), kFive.size() - 1);
    CHECK_EQ(Accounted(reading), file.size());
    // Reading cannot go on after the last record.
    const bool last = at >= file.size() - Framed(kFive.back()).size();
    CHECK(reading.outcome == (last ? FillOutcome::kHalt : FillOutcome::kEnd));
    REQUIRE_EQ(reading.skipped.size(), last ? 0u : 1u);
    const Fault& region = last ? reading.halt : reading.skipped[0];
    CHECK_EQ(region.doubtful, 0u);
    CHECK_EQ(region.resumes, !last);
  }
}

TEST(RecordsCutTogetherAreNotLost) {
  // The first record now reaches to the end of the third, by its length.
  const Records records = {std::string(60, 'a'), "b", "c", "d"};
  const std::string file = Framed(records);
  for (size_t cut = 1; cut < 50; ++cut) {
    const Reading reading =
        Salvaged(file.substr(0, 20) + file.substr(20 + cut));
    CHECK(reading.records == Records({"b", "c", "d"}));
    CHECK_EQ(Accounted(reading), file.size() - cut);
  }
}

TEST(RecordsInADamagedRecordAreNotDelivered) {
  const std::string inner = Framed(Records{"one", "two", "three"});
  const Records records = {"first", "before " + inner + " after", "last"};
  const std::string file = Framed(records);
  const size_t start = Framed(records[0]).size();
  const size_t end = start + Framed(records[1]).size();
  // In the length, in its checksum, before the inner records, after them.
  for (const size_t at : {start, start + 9, start + 14, end - 6}) {
    const Reading reading = Salvaged(Flipped(file, at));
    CHECK(reading.records == Records({"first", "last"}));
    REQUIRE_EQ(reading.skipped.size(), 1u);
    CHECK_EQ(reading.skipped[0].inside, 3u);
    CHECK_EQ(reading.skipped[0].region_end, end);
    CHECK_EQ(reading.skipped[0].resume_record, 2u);
  }
}

TEST(RecordsThatMayBeDataAreInDoubt) {
  const std::string inner = Framed(Records{"one", "two", "three"});
  const Records records = {"first", "before " + inner + " after", "last"};
  const std::string file = Framed(records);
  const size_t start = Framed(records[0]).size();
  // Nothing is left of the header that held the length.
  const std::string blank = std::string(file).replace(start, 14, 14, '\0');
  const Reading reading = Salvaged(blank);
  CHECK(reading.records == Records({"first", "one", "two", "three", "last"}));
  REQUIRE_EQ(reading.skipped.size(), 2u);
  CHECK_EQ(reading.skipped[0].doubtful, 0u);
  CHECK_EQ(reading.skipped[1].doubtful, 3u);
  CHECK_EQ(Accounted(reading), file.size());

  // Without inner records, the same damage leaves no doubt.
  const std::string plain = Framed(Records{"first", "second", "last"});
  const Reading sure =
      Salvaged(std::string(plain).replace(start, 14, 14, '\0'));
  CHECK(sure.records == Records({"first", "last"}));
  REQUIRE_EQ(sure.skipped.size(), 1u);
}

TEST(CutInnerRecordsAreInDoubt) {
  const std::string inner = Framed(Records{"one", "two", "three"});
  const std::string torn = inner.substr(0, inner.size() - 6);
  const Records records = {"first", torn, "last"};
  const std::string file = Framed(records);
  const size_t start = Framed(records[0]).size();
  const Reading reading =
      Salvaged(std::string(file).replace(start, 12, 12, '\0'));
  CHECK(reading.records == Records({"first", "one", "two", "last"}));
  REQUIRE_EQ(reading.skipped.size(), 2u);
  CHECK_EQ(reading.skipped[1].doubtful, 2u);
}

TEST(RecordsInATornLastRecordAreInDoubt) {
  const Records inner = {"one", "two", "three"};
  const std::string file = Framed(Records{"first", Framed(inner) + "more"});
  const size_t start = Framed(std::string("first")).size();
  size_t inside = start + 12;
  for (size_t whole = 1; whole <= 3; ++whole) {
    inside += Framed(inner[whole - 1]).size();
    // The file ends exactly after an inner record, or within the next one.
    for (const size_t more : {0, 2}) {
      const Reading reading = Salvaged(file.substr(0, inside + more));
      CHECK_EQ(reading.records.size(), 1 + whole);
      REQUIRE(!reading.skipped.empty());
      const Fault& last = reading.halt ? reading.halt : reading.skipped.back();
      CHECK_EQ(last.doubtful, whole);
      CHECK_EQ(Accounted(reading), inside + more);
    }
  }
}

TEST(RecordsThatAreTooLargeAreRegions) {
  const Records records = {"a", std::string(500, 'b'), "c"};
  ReadOptions options;
  options.max_record_bytes = 100;
  const Reading reading = Salvaged(Framed(records), options);
  CHECK(reading.records == Records({"a", "c"}));
  REQUIRE_EQ(reading.skipped.size(), 1u);
  CHECK(reading.skipped[0].code == FaultCode::kRecordTooLarge);
  CHECK_EQ(reading.skipped[0].lost, 516u);
}

TEST(GarbageAloneIsOneRegion) {
  const std::string garbage(5000, 'g');
  const Reading reading = Salvaged(garbage);
  CHECK(reading.records.empty());
  CHECK(reading.outcome == FillOutcome::kHalt);
  CHECK_EQ(reading.halt.lost, garbage.size());
  const Reading before = Salvaged(garbage + Framed(kFive));
  CHECK(before.records == kFive);
  REQUIRE_EQ(before.skipped.size(), 1u);
  CHECK_EQ(before.skipped[0].lost, garbage.size());
}

TEST(DamageInsideInflatedContentIsSearched) {
  const std::string content = Framed(kFive);
  const size_t second = Framed(kFive[0]).size();
  const Reading reading = Salvaged(Gzip(Flipped(content, second)));
  CHECK(reading.records == Records({kFive[0], kFive[2], kFive[3], kFive[4]}));
  REQUIRE_EQ(reading.skipped.size(), 1u);
  CHECK_EQ(reading.skipped[0].lost, 16u);
  CHECK(reading.outcome == FillOutcome::kEnd);
}

TEST(RandomInjuriesLoseNoByte) {
  uint32_t seed = 1;
  const auto random = [&](uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
  };
  for (int round = 0; round < 300; ++round) {
    std::string file;
    for (int i = 0; i < 40; ++i) {
      file += Framed(std::string(random(90), static_cast<char>('a' + i)));
    }
    for (uint32_t injuries = 1 + random(6); injuries > 0; --injuries) {
      const size_t at = random(static_cast<uint32_t>(file.size()));
      switch (random(4)) {
        case 0:
          file = Flipped(file, at, random(8));
          break;
        case 1:
          file.erase(at, random(60));
          break;
        case 2:
          file.insert(at,
                      std::string(random(60), static_cast<char>(random(256))));
          break;
        default:
          std::fill(file.begin() + at,
                    file.begin() + std::min(file.size(), at + 64), '\0');
      }
    }
    CHECK_EQ(Accounted(Salvaged(file)), file.size());
  }
}

}  // namespace tfr::test
