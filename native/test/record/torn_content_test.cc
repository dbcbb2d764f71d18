/// Salvaging damaged compressed data: reading goes on at the next gzip member
/// of any writer, or at the next known checkpoint.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/index/record_index.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"
#include "test/support/salvaging.h"

namespace tfr::test {
namespace {

/// The deflater ends its blocks after so many bytes; a checkpoint lies between.
constexpr size_t kBlock = 300000;

using Records = std::vector<std::string>;

/// Bytes that deflate cannot shorten much.
std::string Noise(size_t size, uint32_t seed) {
  std::string bytes(size, '\0');
  uint32_t state = seed * 2654435761U + 1;
  for (char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

/// `count` records of their number and some bytes.
Records Numbered(size_t count, size_t first = 0, size_t size = 100) {
  Records records;
  for (size_t i = 0; i < count; ++i) {
    records.push_back(std::to_string(first + i) + ":" +
                      Noise(size, static_cast<uint32_t>(first + i)));
  }
  return records;
}

Reading Salvaged(const std::string& file, ReadOptions options = {}) {
  options = Salvaging(options);
  const Reading at = ReadPositioned(file, 1 << 14, options, true);
  if (options.checkpoints) return at;
  CHECK(SameSalvage(at, Read(file, 1 << 20, 1 << 16, options, true)));
  CHECK(SameSalvage(at, Read(file, 37, 512, options, true)));
  return at;
}

/// Returns how many of `records` are in `reading`; each must be in order, and
/// nothing else may be there.
size_t CountIn(const Reading& reading, const Records& records) {
  size_t next = 0;
  for (const std::string& record : reading.records) {
    while (next < records.size() && records[next] != record) ++next;
    CHECK(next < records.size());
    ++next;
  }
  return reading.records.size();
}

bool Has(const Reading& reading, const std::string& record) {
  return std::find(reading.records.begin(), reading.records.end(), record) !=
         reading.records.end();
}

/// An index of the whole `file`.
std::shared_ptr<RecordIndex> IndexOf(const std::string& file,
                                     size_t offset_memory = 1 << 20) {
  IndexLimits limits;
  limits.checkpoint_bytes = 64 << 10;
  limits.most_offset_memory = offset_memory;
  auto index = std::make_shared<RecordIndex>(limits);
  ReadOptions options;
  options.index = index;
  ReadPositioned(file, 1 << 14, options);
  return index;
}

}  // namespace

TEST(RegionsEndAtMembersOfOtherWriters) {
  const Records records = Numbered(900);
  std::string file;
  std::vector<size_t> starts;
  for (size_t i = 0; i < 900; i += 100) {
    starts.push_back(file.size());
    file += Gzip(Framed(Records(records.begin() + static_cast<int>(i),
                                records.begin() + static_cast<int>(i) + 100)));
  }
  for (const size_t damaged : {2, 7}) {
    std::string copy = file;
    copy.replace(starts[damaged] + 3000, 40, 40, '\x55');
    const Reading reading = Salvaged(copy);
    CHECK(CountIn(reading, records) >= 800);
    for (size_t i = 0; i < 900; ++i) {
      if (i / 100 != damaged) CHECK(Has(reading, records[i]));
    }
    REQUIRE_EQ(reading.skipped.size(), 1u);
    CHECK_EQ(reading.skipped[0].resume_at, starts[damaged + 1]);
    CHECK(reading.skipped[0].code == FaultCode::kCompression ||
          reading.skipped[0].code == FaultCode::kTruncated);
  }
}

TEST(RegionsEndWithinMembersThatSplitRecords) {
  // Blocks of a fixed size, as bgzip writes them.
  const Records records = Numbered(900);
  const std::string content = Framed(records);
  std::string file;
  for (size_t at = 0; at < content.size(); at += 20000) {
    file += Gzip(content.substr(at, 20000));
  }
  std::string copy = file;
  copy[file.size() / 2] = static_cast<char>(copy[file.size() / 2] ^ 0x10);
  const Reading reading = Salvaged(copy);
  const size_t lost = 900 - CountIn(reading, records);
  CHECK(lost > 0);
  // A block, and the records at both of its ends.
  CHECK(lost <= 20000 / 110 + 2);
  REQUIRE_EQ(reading.skipped.size(), 1u);
  CHECK(Has(reading, records.back()));
}

TEST(RegionsEndAtCheckpoints) {
  const Records records = Numbered(9000);
  const std::string content = Framed(records);
  const std::string file = Gzip(content);
  ReadOptions options;
  for (const size_t offsets : {size_t{0}, size_t{1} << 20}) {
    options.checkpoints = IndexOf(file, offsets);
    REQUIRE(options.checkpoints->CheckpointFrom(500000) != nullptr);
    for (const size_t at : {file.size() / 7, file.size() / 2}) {
      for (const size_t damage : {1, 300}) {
        std::string copy = file;
        copy.replace(at, damage, damage, '\x55');
        const Reading reading = Salvaged(copy, options);
        // A block, between two checkpoints, and what is torn at its ends.
        CHECK(CountIn(reading, records) >= 9000 - kBlock / 110 - 2);
        CHECK(reading.outcome == FillOutcome::kEnd);
        CHECK_EQ(Accounted(reading), content.size());
        REQUIRE_EQ(reading.skipped.size(), 1u);
        const Fault& region = reading.skipped[0];
        CHECK(region.region_end > region.offset);
        if (offsets == 0) continue;
        // The index knows their numbers.
        for (size_t i = 0; i < reading.records.size(); ++i) {
          CHECK(reading.records[i] == records[reading.numbers[i]]);
        }
        CHECK_EQ(region.doubtful, 0u);
      }
    }
  }
}

/// An index in which the window of one checkpoint is wrong.
class WrongWindow final : public CheckpointSource {
 public:
  WrongWindow(std::shared_ptr<const CheckpointSource> index, uint64_t offset)
      : index_(std::move(index)) {
    const auto right = index_->CheckpointFrom(offset);
    REQUIRE(right != nullptr);
    ByteBuffer state;
    REQUIRE(InflateState(*right, &state) == RestoreResult::kRestored);
    // The first bytes of a state are the position within a byte.
    std::fill(state.data() + state.size() / 8, state.data() + state.size(),
              uint8_t{0});
    const auto partial = CheckpointMaker().MakePartial(
        right->point.consumed, right->point.produced, state.data(),
        state.size());
    REQUIRE(partial != nullptr);
    auto wrong = std::make_shared<Checkpoint>();
    wrong->compression = right->compression;
    wrong->point = right->point;
    wrong->state_size = partial->state_size;
    REQUIRE(wrong->state.Assign(partial->state.data(), partial->state.size()));
    wrong_ = std::move(wrong);
  }

  uint64_t offset() const { return wrong_->point.produced; }
  std::shared_ptr<const Checkpoint> CheckpointFrom(
      uint64_t offset) const override {
    return Wrong(index_->CheckpointFrom(offset));
  }
  std::shared_ptr<const Checkpoint> CheckpointUpTo(
      uint64_t offset) const override {
    return Wrong(index_->CheckpointUpTo(offset));
  }

 private:
  std::shared_ptr<const Checkpoint> Wrong(
      std::shared_ptr<const Checkpoint> found) const {
    return found && found->point.produced == offset() ? wrong_ : found;
  }

  std::shared_ptr<const CheckpointSource> index_;
  std::shared_ptr<const Checkpoint> wrong_;
};

TEST(AfterAWrongCheckpointTheNextOneServes) {
  // Most of each record is a copy of bytes before it.
  Records records;
  const std::string common = Noise(200, 1);
  for (size_t i = 0; i < 30000; ++i) {
    records.push_back(std::to_string(i) + common +
                      Noise(8, static_cast<uint32_t>(i)));
  }
  const std::string file = Gzip(Framed(records));
  const auto index = IndexOf(file);
  const auto wrong = std::make_shared<WrongWindow>(index, 1000000);
  const auto next = index->CheckpointFrom(wrong->offset() + 1);
  REQUIRE(next != nullptr);
  std::string copy = file;
  const auto before = index->CheckpointUpTo(wrong->offset() - 1);
  REQUIRE(before != nullptr);
  copy.replace(before->point.consumed + 50, 40, 40, '\x55');
  ReadOptions options;
  options.checkpoints = wrong;
  const Reading reading = Salvaged(copy, options);
  const size_t record = Framed(records.back()).size();
  CHECK(
      CountIn(reading, records) >=
      (before->point.produced + Framed(records).size() - next->point.produced) /
              record -
          2);
  CHECK(Has(reading, records.back()));
}

TEST(CheckpointsOfAnotherSizeFitUpToTheChange) {
  const Records records = Numbered(9000);
  const std::string file = Gzip(Framed(records));
  ReadOptions options;
  options.checkpoints = IndexOf(file);
  // Damage, then a byte is missing.
  std::string copy = file;
  copy.replace(file.size() / 5, 60, 60, '\x55');
  copy.erase(file.size() / 2, 1);
  const Reading reading = Salvaged(copy, options);
  const size_t found = CountIn(reading, records);
  CHECK(found > 9000 * 40 / 100);
  CHECK(!Has(reading, records.back()));
  CHECK(Has(reading, records[9000 * 2 / 5]));
}

TEST(CheckpointsOfOtherContentChangeNothing) {
  const std::string file = Gzip(Framed(Numbered(9000)));
  const Records others = Numbered(9000, 100000, 90);
  const std::string copy = Gzip(Framed(others));
  ReadOptions options;
  options.checkpoints = IndexOf(file);
  Reading reading = Salvaged(copy, options);
  CHECK(reading.records == others);
  CHECK(reading.skipped.empty());
  // Damage of the content: inflating goes right.
  std::string content = Framed(others);
  content[content.size() / 2] ^= 1;
  reading = Salvaged(Gzip(content), options);
  CHECK_EQ(CountIn(reading, others), 8999u);
  CHECK_EQ(Accounted(reading), content.size());
}

TEST(DamagedContentIsToldFromDamagedDataByCheckpoints) {
  // The content is damaged, and was indexed as it is.
  const Records records = Numbered(9000);
  std::string content = Framed(records);
  content[content.size() / 2] ^= 1;
  const std::string file = Gzip(content);
  ReadOptions options;
  options.checkpoints = IndexOf(file);
  const Reading reading = Salvaged(file, options);
  CHECK_EQ(CountIn(reading, records), 8999u);
  CHECK_EQ(Accounted(reading), content.size());
}

TEST(FilesInValuesAreInDoubt) {
  // A value that is a gzip file of records, stored verbatim, in a member of
  // which nothing else can be read.
  const Records inner = {"inner one", "inner two", "inner three"};
  const std::string value =
      Noise(3000, 1) + Gzip(Framed(inner)) + Noise(3000, 2);
  const Records records = {"first", value, "last"};
  const std::string damaged = Gzip(Framed(Records{"first", value}));
  const size_t at = damaged.find(Gzip(Framed(inner)));
  REQUIRE(at != std::string::npos);
  std::string copy = damaged;
  copy.replace(at - 200, 100, 100, '\x55');
  // An injury of the content would not show in deflate's stored blocks, but in
  // the header of a member before.
  copy = Gzip(Framed(Records{"zero"})) + copy.substr(0, 1) + "\x8c" +
         copy.substr(2);
  const Reading reading = Salvaged(copy + Gzip(Framed(Records{"last"})));
  CHECK(Has(reading, "zero"));
  CHECK(Has(reading, "last"));
  uint64_t doubtful = 0;
  for (const Fault& region : reading.skipped) doubtful += region.doubtful;
  CHECK_EQ(doubtful, Has(reading, "inner one") ? 3u : 0u);
  CHECK(Has(reading, "inner one"));
}

}  // namespace tfr::test
