/// Readers that add to an index read as those that do not, and a reader that
/// begins by the index gives the same as one that began with the file.
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/index/record_index.h"
#include "test/index/jumps.h"
#include "test/support/check.h"
#include "test/support/range_feeding.h"

using namespace tfr;
using namespace tfr::test;

namespace {

struct Read {
  Reading reading;
  PositionedSource::Counts counts;
};

Read ReadFrom(const std::string& file, const ReadStart& start,
              std::shared_ptr<RecordIndex> index, bool continues) {
  ReadOptions options;
  options.continues = options.counts_lost = continues;
  options.start = start;
  options.index = std::move(index);
  options.ahead.least_content = 1;
  Read read;
  auto source = std::make_unique<PositionedSource>(file, &read.counts);
  source->StepOver(start.position());
  read.reading = ReadSource(std::move(source), 4096, options, continues,
                            [] { return false; });
  return read;
}

/// The results for records from `record` on are the same.
void CheckSameFrom(const Reading& whole, const Reading& part, uint64_t record) {
  size_t i = 0;
  while (i < whole.numbers.size() && whole.numbers[i] < record) ++i;
  REQUIRE_EQ(part.records.size(), whole.records.size() - i);
  for (size_t k = 0; k < part.records.size(); ++k) {
    CHECK_EQ(part.numbers[k], whole.numbers[i + k]);
    CHECK_EQ(part.offsets[k], whole.offsets[i + k]);
    CHECK(part.records[k] == whole.records[i + k]);
  }
  CHECK_EQ(part.outcome, whole.outcome);
  CHECK_EQ(part.halt.code, whole.halt.code);
  const size_t before = whole.skipped.size() - part.skipped.size();
  for (size_t k = 0; k < part.skipped.size(); ++k) {
    CHECK_EQ(part.skipped[k].record, whole.skipped[before + k].record);
    CHECK_EQ(part.skipped[k].lost, whole.skipped[before + k].lost);
  }
}

std::vector<std::string> Layouts(const std::string& content,
                                 const std::vector<std::string>& records) {
  std::string ours;
  for (size_t i = 0; i < records.size(); i += 40) {
    const std::vector<std::string> part(
        records.begin() + static_cast<std::ptrdiff_t>(i),
        records.begin() +
            static_cast<std::ptrdiff_t>(std::min(i + 40, records.size())));
    ours += OurMember(Framed(part), static_cast<uint32_t>(part.size()),
                      ours.size());
  }
  return {content, Gzip(content), Zlib(content),
          InMembers(content, 30000, false), ours};
}

}  // namespace

TEST(ReadingGoesOnAtTheNextCheckpoint) {
  const std::vector<std::string> records = Records(1500, 900);
  WithEveryCodec([&] {
    for (const std::string& file : Layouts(Framed(records), records)) {
      for (const bool continues : {false, true}) {
        const Reading plain = ReadFrom(file, {}, nullptr, continues).reading;
        const auto index = std::make_shared<RecordIndex>(CloseLimits());
        const Reading whole = ReadFrom(file, {}, index, continues).reading;
        CheckSameFrom(plain, whole, 0);
        CHECK_EQ(index->records(), records.size());
        for (uint64_t record = 0; record < records.size(); record += 101) {
          ReadStart start;
          REQUIRE(index->FindStart(record, &start));
          CHECK(start.record <= record);
          CHECK(start.checked);
          const Reading part = ReadFrom(file, start, index, continues).reading;
          CheckSameFrom(whole, part, start.record);
          if (!start.from) continue;
          CHECK_EQ(part.compressed_bytes, whole.compressed_bytes);
        }
      }
    }
  });
}

TEST(ReadingByRangesBeginsAtACheckpoint) {
  const std::vector<std::string> records = Records(1500, 900);
  for (const std::string& file : Layouts(Framed(records), records)) {
    const auto index = std::make_shared<RecordIndex>(CloseLimits());
    const Reading whole = ReadFrom(file, {}, index, false).reading;
    for (uint64_t record = 0; record < records.size(); record += 301) {
      RecordIndex::Jump jump;
      REQUIRE(index->Find(record, record + 1, &jump));
      ReadOptions options;
      options.start = jump.start();
      std::mt19937 random(static_cast<unsigned>(record));
      const auto choose = [&random](uint64_t below) {
        return below == 0 ? 0 : random() % below;
      };
      const Reading part = ReadRanges(file, choose, 4096, options);
      CheckSameFrom(whole, part, options.start.record);
    }
  }
}

TEST(AfterAStartDamageOfOurMembersIsSteppedOverAsEver) {
  const std::vector<std::string> records = Records(600, 900);
  const std::string file = Layouts(Framed(records), records).back();
  const auto index = std::make_shared<RecordIndex>(CloseLimits());
  ReadFrom(file, {}, index, true);
  for (size_t at = 15; at < file.size(); at += file.size() / 40) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Reading whole = ReadFrom(damaged, {}, nullptr, true).reading;
    for (uint64_t record = 100; record < records.size(); record += 150) {
      ReadStart start;
      REQUIRE(index->FindStart(record, &start));
      // Before the start, the damage is not seen.
      if (at < start.position()) continue;
      const Reading part = ReadFrom(damaged, start, nullptr, true).reading;
      CheckSameFrom(whole, part, start.record);
    }
  }
}

TEST(DamageEndsTheNoting) {
  const std::vector<std::string> records = Records(600, 900);
  std::string file = Layouts(Framed(records), records).back();
  file[file.size() / 2] = static_cast<char>(file[file.size() / 2] ^ 0x10);
  const auto index = std::make_shared<RecordIndex>(CloseLimits());
  const Reading whole = ReadFrom(file, {}, index, true).reading;
  CHECK_EQ(whole.skipped.size(), 1u);
  CHECK(index->records() <= whole.skipped[0].record);
  ReadStart start;
  REQUIRE(index->FindStart(599, &start));
  CHECK(start.record < whole.skipped[0].record);
}

TEST(ReadersOfOneFileShareAnIndex) {
  const std::vector<std::string> records = Records(1500, 900);
  for (const std::string& file : Layouts(Framed(records), records)) {
    const auto index = std::make_shared<RecordIndex>(CloseLimits());
    ReadFrom(file, {}, index, false);
    const size_t held = index->held_bytes();
    // Readings again, from the start and from elsewhere, add nothing.
    ReadFrom(file, {}, index, false);
    ReadStart start;
    REQUIRE(index->FindStart(700, &start));
    ReadFrom(file, start, index, false);
    CHECK_EQ(index->held_bytes(), held);
    // An index that a reader from the middle began knows nothing before it.
    const auto late = std::make_shared<RecordIndex>(CloseLimits());
    ReadFrom(file, start, late, false);
    ReadFrom(file, {}, late, false);
    ReadStart again;
    CHECK(!late->FindStart(start.record - 1, &again));
    REQUIRE(late->FindStart(1400, &again));
    CheckSameFrom(ReadFrom(file, {}, nullptr, false).reading,
                  ReadFrom(file, again, nullptr, false).reading, again.record);
  }
}

TEST(TheLengthAtTheStartIsCheckedWhateverIsVerified) {
  const std::vector<std::string> records = Records(1500, 900);
  const std::string file = Framed(records);
  const auto index = std::make_shared<RecordIndex>(CloseLimits());
  ReadFrom(file, {}, index, false);
  ReadStart start;
  REQUIRE(index->FindStart(700, &start));
  ++start.offset;
  ReadOptions options;
  options.verify = Verify::kNone;
  options.start = start;
  auto source = std::make_unique<PositionedSource>(file);
  source->StepOver(start.position());
  const Reading reading =
      ReadSource(std::move(source), 4096, options, false, [] { return false; });
  CHECK(reading.records.empty());
  CHECK_EQ(reading.halt.code, FaultCode::kCorruptLength);
  index->Verified(Verify::kNone);
  REQUIRE(index->FindStart(700, &start));
  CHECK(!start.checked);
}

TEST(AStartAfterACheckpointLosesNoMemberButTheDamagedOne) {
  std::vector<std::string> records = Records(240, 300);
  for (size_t i = 0; i < records.size(); ++i) {
    records[i] = std::to_string(i) + ":" + records[i];
  }
  // Six members of 40 records.
  const std::string file = Layouts(Framed(records), records).back();
  std::vector<uint64_t> offsets = {0};
  for (const std::string& record : records) {
    offsets.push_back(offsets.back() + record.size() + kFramingSize);
  }
  IndexLimits limits = CloseLimits();
  limits.checkpoint_bytes = 1;
  const auto index = std::make_shared<RecordIndex>(limits);
  ReadFrom(file, {}, index, false);
  std::vector<ReadStart> points;
  for (uint64_t record = 0; record < records.size(); ++record) {
    ReadStart start;
    REQUIRE(index->FindStart(record, &start));
    const bool known = !points.empty() && points.back().from == start.from;
    if (start.from && !known) points.push_back(start);
  }
  REQUIRE(points.size() >= 5u);
  const auto number_of = [&](const std::string& record) {
    const auto at = std::find(records.begin(), records.end(), record);
    return static_cast<size_t>(at - records.begin());
  };
  size_t resumed = 0;
  for (size_t at = 10; at < file.size(); at += file.size() / 90) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Reading whole = ReadFrom(damaged, {}, nullptr, true).reading;
    for (const ReadStart& point : points) {
      // Damage before the checkpoint is not seen.
      if (at < point.position()) continue;
      for (uint64_t record = point.record; record < records.size();
           record += 23) {
        ReadStart start = point;
        start.record = record;
        start.offset = offsets[record];
        const Reading part = ReadFrom(damaged, start, nullptr, true).reading;
        resumed += part.skipped.size();
        // No record comes but those from the place on, each once, in order.
        std::vector<size_t> numbers;
        for (const std::string& each : part.records) {
          const size_t number = number_of(each);
          if (number < records.size()) numbers.push_back(number);
        }
        CHECK(numbers.empty() || numbers.front() >= record);
        CHECK(std::is_sorted(numbers.begin(), numbers.end()));
        CHECK(std::adjacent_find(numbers.begin(), numbers.end()) ==
              numbers.end());
        // Where the header is damaged, and the place is in a later member,
        // nothing says where that begins: all is reported as lost.
        if (part.outcome == FillOutcome::kHalt && part.records.empty()) {
          CHECK(part.halt.lost > 0);
          continue;
        }
        for (const std::string& each : whole.records) {
          const size_t number = number_of(each);
          if (number >= records.size() || number < record) continue;
          if (!CHECK(
                  std::binary_search(numbers.begin(), numbers.end(), number))) {
            std::fprintf(stderr, "byte %zu, start %zu: record %zu\n", at,
                         static_cast<size_t>(record), number);
            break;
          }
        }
      }
    }
  }
  CHECK(resumed > 100);
}
