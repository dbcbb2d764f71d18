/// The record stream over real files: positional reads, large records framed by
/// their headers, and files that change meanwhile.
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/io/file_source.h"
#include "core/record/framing/tfrecord_framer.h"
#include "core/record/slab_stream.h"
#include "test/support/check.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

/// A temporary file, removed by the destructor.
class TestFile {
 public:
  explicit TestFile(const std::string& bytes) { Write(bytes); }
  ~TestFile() { std::remove(kPath); }

  void Write(const std::string& bytes) {
    std::FILE* const file = std::fopen(kPath, "wb");
    REQUIRE(file != nullptr);
    REQUIRE_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
    std::fclose(file);
  }

  static constexpr const char* kPath = "record_file_test.tfrecord";
};

/// Reads a file through slabs of `slab_size`; calls `changed` between the two
/// steps of fill number `at`.
template <typename Change>
Reading ReadFile(size_t slab_size, int at, Change changed) {
  SlabStream stream(NewFileSource(TestFile::kPath), NewTfrecordFramer({}), {});
  const CancelToken cancel;
  Reading reading;
  std::vector<uint8_t> slab(slab_size);
  for (int fills = 0;; ++fills) {
    SlabFill fill;
    stream.FillSlab(slab.data(), slab.size(), cancel, &fill);
    if (fills == at) changed();
    stream.Complete(slab.data(), cancel, &fill);
    for (const Frame& frame : fill.frames) {
      reading.records.emplace_back(
          reinterpret_cast<const char*>(slab.data()) + frame.offset,
          frame.length);
    }
    reading.faults.insert(reading.faults.end(), fill.faults.begin(),
                          fill.faults.end());
    reading.outcome = fill.outcome;
    reading.halt = fill.halt;
    if (fill.outcome == FillOutcome::kGrow) {
      slab.resize(fill.grow_to);
    } else if (fill.outcome == FillOutcome::kMore) {
      slab.resize(slab_size);
    } else {
      return reading;
    }
  }
}

Reading ReadFile(size_t slab_size) {
  return ReadFile(slab_size, -1, [] {});
}

TEST(FilesReadLikeFedBytes) {
  const TestFile file(Framed(kFive));
  for (size_t slab : {64, 4096, 1 << 20}) {
    const Reading reading = ReadFile(slab);
    CHECK(reading.records == kFive);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
  }
  SlabStream missing(NewFileSource("no-such-file.tfrecord"),
                     NewTfrecordFramer({}), {});
  const CancelToken cancel;
  std::vector<uint8_t> slab(64);
  SlabFill fill;
  missing.FillSlab(slab.data(), slab.size(), cancel, &fill);
  CHECK_EQ(fill.halt.code, FaultCode::kSystem);
  CHECK_EQ(fill.halt.system_error, ENOENT);
}

/// Large enough to be framed by their headers; one does not fit the slabs.
std::vector<std::string> LargeRecords() {
  std::vector<std::string> records;
  for (size_t i = 0; i < 40; ++i) {
    records.emplace_back(20000 + 1000 * (i % 7), static_cast<char>('a' + i));
  }
  records[20].resize(300000);
  return records;
}

TEST(LargeRecordsOfAFileAreReadInFull) {
  std::vector<std::string> records = LargeRecords();
  for (int round = 0; round < 2; ++round) {
    const TestFile file(Framed(records));
    const Reading reading = ReadFile(100000);
    CHECK(reading.records == records);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    CHECK(reading.faults.empty());
    // Again with many small records in the middle.
    records.insert(records.begin() + 10, 5000, "small");
  }
}

TEST(UnreadLargeRecordsAreFramedAlone) {
  const std::vector<std::string> records = LargeRecords();
  const TestFile file(Framed(records));
  ReadOptions options;
  options.verify = Verify::kUnread;
  SlabStream stream(NewFileSource(TestFile::kPath), NewTfrecordFramer(options),
                    options);
  const CancelToken cancel;
  std::vector<uint64_t> lengths;
  std::vector<uint8_t> slab(100000);
  size_t untouched = 0;
  FillOutcome outcome = FillOutcome::kMore;
  while (outcome == FillOutcome::kMore || outcome == FillOutcome::kGrow) {
    std::memset(slab.data(), 0xee, slab.size());
    SlabFill fill;
    stream.FillSlab(slab.data(), slab.size(), cancel, &fill);
    stream.Complete(slab.data(), cancel, &fill);
    for (const Frame& frame : fill.frames) lengths.push_back(frame.length);
    untouched += !fill.frames.empty() && slab[fill.frames[0].offset] == 0xee;
    outcome = fill.outcome;
    if (outcome == FillOutcome::kGrow) slab.resize(fill.grow_to);
  }
  CHECK_EQ(outcome, FillOutcome::kEnd);
  REQUIRE_EQ(lengths.size(), records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    CHECK_EQ(lengths[i], records[i].size());
  }
  // The first slab is read, to learn that its records are large.
  CHECK(untouched >= 2);
}

TEST(LargeAndSmallRecordsAreCounted) {
  std::vector<std::string> records = LargeRecords();
  records.insert(records.begin() + 10, 5000, "small");
  ReadOptions options;
  options.verify = Verify::kCounted;
  for (const size_t slab : {size_t{64}, size_t{100000}, size_t{1} << 20}) {
    const TestFile file(Framed(records));
    const Reading reading = ReadSource(NewFileSource(TestFile::kPath), slab,
                                       options, false, [] { return false; });
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    REQUIRE(!reading.numbers.empty());
    CHECK_EQ(reading.numbers.back() + 1, records.size());
  }
}

TEST(DamageAmongLargeRecordsHasItsPosition) {
  const std::vector<std::string> records = LargeRecords();
  const std::vector<std::string> before(records.begin(), records.begin() + 15);
  const uint64_t start = Framed(before).size();
  const std::string good = Framed(records);

  std::string flipped = good;
  flipped[start + kHeaderSize + 5] ^= 1;
  TestFile file(flipped);
  Reading reading = ReadFile(100000);
  CHECK_EQ(reading.records.size(), records.size());
  REQUIRE_EQ(reading.faults.size(), 1u);
  CHECK_EQ(reading.faults[0].code, FaultCode::kCorruptData);
  CHECK_EQ(reading.faults[0].record, 15u);
  CHECK_EQ(reading.faults[0].offset, start);

  std::string bad_length = good;
  bad_length[start + 9] ^= 1;
  file.Write(bad_length);
  reading = ReadFile(100000);
  CHECK_EQ(reading.records.size(), 15u);
  CHECK_EQ(reading.halt.code, FaultCode::kCorruptLength);
  CHECK_EQ(reading.halt.offset, start);

  for (size_t keep : {start + 5, start + 12, start + 15000}) {
    file.Write(good.substr(0, keep));
    reading = ReadFile(100000);
    CHECK_EQ(reading.records.size(), 15u);
    CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
    CHECK_EQ(reading.halt.record, 15u);
    CHECK_EQ(reading.halt.offset, start);
  }
}

TEST(AFileThatChangesBetweenStepsGivesNoWrongRecord) {
  const std::vector<std::string> records = LargeRecords();
  const std::string good = Framed(records);
  TestFile file(good);
  Reading reading = ReadFile(100000, 2, [&] { file.Write(""); });
  CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
  CHECK_EQ(reading.halt.offset, Framed(reading.records).size());

  file.Write(good);
  reading =
      ReadFile(100000, 2, [&] { file.Write(std::string(good.size(), '\0')); });
  CHECK_EQ(reading.halt.code, FaultCode::kCorruptLength);
  CHECK(reading.records.size() < 15);
}

TEST(TheRestOfAShortenedFileIsDelivered) {
  const std::vector<std::string> records = LargeRecords();
  const std::string good = Framed(records);
  const size_t whole = 9;
  const size_t keep =
      Framed(std::vector<std::string>(records.begin(), records.begin() + whole))
          .size() +
      100;
  TestFile file(good);
  const Reading reading =
      ReadFile(100000, 2, [&] { file.Write(good.substr(0, keep)); });
  CHECK_EQ(reading.records.size(), whole);
  CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
  CHECK_EQ(reading.halt.record, whole);
  CHECK_EQ(reading.halt.expected, records[whole].size() + kFramingSize);
  CHECK_EQ(reading.halt.found, 100u);
}

TEST(AFileThatEndsBeforeItsSizeIsTruncated) {
  // Small records: the cut is at the end of a record, so only the size reveals
  // it.
  const std::vector<std::string> records(1000, "small");
  const std::string good = Framed(records);
  TestFile file(good);
  const Reading reading = ReadFile(2100, 3, [&] {
    file.Write(Framed(std::vector<std::string>(400, "small")));
  });
  CHECK_EQ(reading.records.size(), 400u);
  CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
  CHECK_EQ(reading.halt.expected, good.size());
}

#if !defined(_WIN32)  // Windows has no pipes with names in folders.
TEST(APipeInPlaceOfAFileDoesNotBlock) {
  std::remove(TestFile::kPath);
  REQUIRE_EQ(mkfifo(TestFile::kPath, 0600), 0);
  const Reading reading = ReadFile(4096);
  std::remove(TestFile::kPath);
  CHECK_EQ(reading.halt.code, FaultCode::kSystem);
  CHECK_EQ(reading.halt.system_error, ESPIPE);
}
#endif

}  // namespace
}  // namespace tfr::test
