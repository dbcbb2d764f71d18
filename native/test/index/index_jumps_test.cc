#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "core/crc32c/record_format.h"
#include "test/index/jumps.h"
#include "test/support/check.h"

using namespace tfr;
using namespace tfr::test;

namespace {

/// Reads single records and runs of them, by jumping.
void CheckJumps(const Scanned& scanned,
                const std::vector<std::string>& records) {
  CHECK_EQ(scanned.state().records, records.size());
  CHECK(!scanned.state().halt);
  std::mt19937 random(2);
  for (int i = 0; i < 40; ++i) {
    const size_t first = random() % records.size();
    const size_t last =
        std::min(records.size(), first + 1 + (i % 10 == 0 ? 300 : i % 3));
    const auto jumped = scanned.Read(first, last, 64 << (i % 12));
    CHECK(jumped.records ==
          std::vector<std::string>(
              records.begin() + static_cast<std::ptrdiff_t>(first),
              records.begin() + static_cast<std::ptrdiff_t>(last)));
    CHECK(jumped.faults.empty());
  }
}

}  // namespace

TEST(JumpsToAnyRecordOfEveryLayout) {
  const std::vector<std::string> records = Records(1200, 900);
  const std::string content = Framed(records);
  const std::string empty = Gzip("");
  std::string empties;
  for (int i = 0; i < 3000; ++i) empties += empty;
  const std::string files[] = {
      content,
      Gzip(content),
      Zlib(content),
      Zlib(content.substr(0, 300000)) + Zlib(content.substr(300000)),
      InMembers(content, 100000, false),
      InMembers(content, 100000, true),
      InMembers(content, 5000, false),
      empties + Gzip(content) + empties,
  };
  WithEveryCodec([&] {
    for (const std::string& file : files) {
      for (const IndexLimits& limits : AllLimits()) {
        CheckJumps(Scanned(file, {}, limits), records);
      }
    }
    CheckJumps(Scanned(Gzip(content)), records);
  });
}

TEST(JumpsReadLittleMoreThanTheRecord) {
  const std::string content = Framed(Records(3000, 900));
  WithEveryCodec([&] {
    for (const std::string& file :
         {content, Gzip(content), InMembers(content, 50000, true)}) {
      const IndexLimits limits = CloseLimits();
      const Scanned scanned(file, {}, limits);
      for (uint64_t record = 0; record < 3000; record += 7) {
        RecordIndex::Jump jump;
        REQUIRE(scanned.index().Find(record, record + 1, &jump));
        CHECK(jump.place.record <= record);
        CHECK(record - jump.place.record <= limits.place_records);
        CHECK(jump.end - jump.place.offset <= limits.place_bytes + 2000);
        if (!jump.from) continue;
        // Blocks of deflate and reads are longer than the limit.
        CHECK(jump.place.offset - jump.from->point.produced <= 600 << 10);
      }
    }
  });
}

TEST(TrailersAreCheckedAfterAJump) {
  const std::vector<std::string> records = Records(2000, 900);
  std::string file = Gzip(Framed(records));
  WithEveryCodec([&] {
    const Scanned scanned(file, {}, CloseLimits());
    CHECK(!scanned.state().halt);
    std::string wrong = file;
    wrong[wrong.size() - 6] ^= 1;
    RecordIndex::Jump jump;
    REQUIRE(scanned.index().Find(1990, 1991, &jump));
    REQUIRE(jump.from != nullptr);
    CHECK(jump.from->point.produced > 0);
    // A slab for all the rest: the trailer comes with it.
    const auto right = scanned.Read(1990, 2001, 1 << 20);
    CHECK_EQ(right.records.size(), 10u);
    CHECK_EQ(right.outcome, FillOutcome::kEnd);
    const auto jumped = scanned.Read(1990, 2001, 1 << 20, wrong);
    CHECK_EQ(jumped.records.size(), 10u);
    CHECK_EQ(jumped.halt.code, FaultCode::kCompression);
    CHECK_EQ(std::string(jumped.halt.part), "gzip trailer CRC32");
  });
}

TEST(DamageIsReportedInOrder) {
  const std::vector<std::string> records = Records(1000, 400);
  std::string content = Framed(records);
  std::vector<size_t> at = {0};
  for (const std::string& record : records) {
    at.push_back(at.back() + record.size() + kFramingSize);
  }
  content[at[100] + kHeaderSize] ^= 1;
  content[at[700] + kHeaderSize] ^= 1;
  std::string cut = content;
  cut[at[900]] ^= 1;
  WithEveryCodec([&] {
    for (const auto& [file, whole] :
         {std::pair(content, true), std::pair(Gzip(content), true),
          std::pair(cut, false), std::pair(Zlib(cut), false)}) {
      const Scanned scanned(file, {}, CloseLimits());
      REQUIRE_EQ(scanned.faults().size(), 2u);
      CHECK_EQ(scanned.faults()[0].record, 100u);
      CHECK_EQ(scanned.faults()[1].record, 700u);
      CHECK_EQ(scanned.faults()[1].offset, at[700]);
      CHECK_EQ(scanned.state().records, whole ? 1000u : 900u);
      CHECK_EQ(scanned.state().halt.code,
               whole ? FaultCode::kNone : FaultCode::kCorruptLength);
      const auto jumped = scanned.Read(699, 702, 64);
      CHECK_EQ(jumped.records.size(), 3u);
      REQUIRE_EQ(jumped.faults.size(), 1u);
      CHECK_EQ(jumped.faults[0].record, 700u);
      CHECK(jumped.records[2] == records[701]);
    }
  });
}

TEST(LongRecordsArePassedOver) {
  const std::vector<std::string> records = {std::string(5000, 'a'), "b",
                                            std::string(100000, 'c'), "d",
                                            std::string(200, 'e')};
  ReaderSpec spec;
  spec.max_record_bytes = 1000;
  for (const std::string& file :
       {Framed(records), Gzip(Framed(records)), Zlib(Framed(records))}) {
    const Scanned scanned(file, spec, CloseLimits());
    CHECK_EQ(scanned.state().records, 5u);
    REQUIRE_EQ(scanned.faults().size(), 2u);
    CHECK_EQ(scanned.faults()[1].record, 2u);
    CHECK_EQ(scanned.faults()[1].expected, 1000u);
    const auto jumped = scanned.Read(0, 5, 64);
    CHECK(jumped.records ==
          std::vector<std::string>({"", "b", "", "d", std::string(200, 'e')}));
    CHECK_EQ(scanned.Read(2, 3).records.size(), 1u);
  }
}

TEST(AFileThatChangedGivesNoWrongRecords) {
  const std::vector<std::string> records = Records(1000, 400);
  const std::string plain = Framed(records);
  WithEveryCodec([&] {
    for (const std::string& file : {plain, Gzip(plain)}) {
      const Scanned scanned(file, {}, CloseLimits());
      for (const size_t size : {size_t{0}, size_t{5}, file.size() / 2}) {
        const auto jumped = scanned.Read(990, 992, 4096, file.substr(0, size));
        CHECK(jumped.records.empty());
      }
      std::string other = file;
      for (size_t i = 0; i < other.size(); i += 3) other[i] ^= 0x55;
      const auto jumped = scanned.Read(990, 992, 4096, other);
      CHECK(jumped.outcome == FillOutcome::kHalt || !jumped.faults.empty());
    }
  });
}

TEST(NoRecords) {
  for (const std::string& file : {std::string(), Gzip(""), Zlib("")}) {
    const Scanned scanned(file);
    CHECK_EQ(scanned.state().records, 0u);
    RecordIndex::Jump jump;
    CHECK(!scanned.index().Find(0, 1, &jump));
  }
}
