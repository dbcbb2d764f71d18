#include "core/index/record_gather.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "test/index/jumps.h"
#include "test/index/saved_index.h"
#include "test/support/check.h"

using namespace tfr;
using namespace tfr::test;

namespace {

/// A file in the working folder, removed by the destructor.
class TestFile {
 public:
  ~TestFile() { std::remove(kPath); }

  void Put(const std::string& bytes) const {
    std::FILE* const file = std::fopen(kPath, "wb");
    REQUIRE(file != nullptr);
    CHECK_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
    CHECK_EQ(std::fclose(file), 0);
  }

  static constexpr const char* kPath = "record_gather_test.tfrecord";
};

struct Gathered {
  std::vector<std::string> records;
  Fault fault;
  size_t parts = 0;
};

/// Reads `records` of the file at `path`, its parts in any order.
Gathered Gather(const RecordIndex& index, const std::string& path,
                const std::vector<uint64_t>& records, std::mt19937* random,
                const ReaderSpec& spec = {}) {
  RecordGather gather;
  REQUIRE(gather.Plan(index, records.data(), records.size()));
  std::vector<uint8_t> slab(gather.bytes());
  std::vector<size_t> parts(gather.parts());
  for (size_t i = 0; i < parts.size(); ++i) parts[i] = i;
  std::shuffle(parts.begin(), parts.end(), *random);
  for (const size_t part : parts) {
    gather.ReadPart(part, path, spec, slab.data());
  }
  Gathered gathered;
  gathered.fault = gather.fault();
  gathered.parts = parts.size();
  for (const Frame& frame : gather.frames()) {
    gathered.records.emplace_back(
        reinterpret_cast<const char*>(slab.data()) + frame.offset,
        frame.length);
  }
  return gathered;
}

IndexLimits WithOffsets() { return AllLimits()[1]; }

std::vector<uint64_t> Numbers(size_t count, size_t below,
                              std::mt19937* random) {
  std::vector<uint64_t> numbers(count);
  for (uint64_t& number : numbers) number = (*random)() % below;
  return numbers;
}

}  // namespace

TEST(ReadsAnyRecordsInTheOrderAskedFor) {
  std::mt19937 random(1);
  std::vector<std::string> records = Records(1500, 900);
  // One is longer than all that is read at once.
  records[700] = Letters(300000, &random);
  const TestFile on_disk;
  WithEveryCodec([&] {
    for (const std::string& file : Files(records)) {
      on_disk.Put(file);
      const Scanned scanned(file, {}, WithOffsets());
      for (const size_t count : {0u, 1u, 3u, 40u, 5000u}) {
        auto numbers = Numbers(count, records.size(), &random);
        if (count > 3) numbers[1] = numbers[2] = 700;
        const auto gathered =
            Gather(scanned.index(), TestFile::kPath, numbers, &random);
        CHECK(!gathered.fault);
        size_t wrong = 0;
        for (size_t i = 0; i < count; ++i) {
          wrong += gathered.records[i] != records[numbers[i]];
        }
        CHECK_EQ(wrong, 0u);
      }
    }
  });
}

TEST(EmptyRecordsTakeNoMemory) {
  std::mt19937 random(6);
  const std::vector<std::string> records(500);
  const TestFile on_disk;
  for (const std::string& file : Files(records)) {
    on_disk.Put(file);
    const Scanned scanned(file, {}, WithOffsets());
    const auto gathered =
        Gather(scanned.index(), TestFile::kPath, {499, 0, 0, 250}, &random);
    CHECK(!gathered.fault);
    CHECK(gathered.records == std::vector<std::string>(4));
  }
}

TEST(PartsFarApartAreReadSideBySide) {
  std::mt19937 random(2);
  const std::vector<std::string> records = Records(20000, 900);
  const std::string content = Framed(records);
  const TestFile on_disk;
  for (const std::string& file : {content, Gzip(content)}) {
    on_disk.Put(file);
    const Scanned scanned(file, {}, WithOffsets());
    const std::vector<uint64_t> numbers{19999, 0, 10000};
    const auto gathered =
        Gather(scanned.index(), TestFile::kPath, numbers, &random);
    CHECK_EQ(gathered.parts, 3u);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(gathered.records[i] == records[numbers[i]]);
    }
  }
}

TEST(RefusesNumbersThatAreNotKnown) {
  const Scanned scanned(Framed(Records(100, 90)), {}, WithOffsets());
  RecordGather gather;
  const std::vector<uint64_t> past{5, 100};
  CHECK(!gather.Plan(scanned.index(), past.data(), past.size()));
  const Scanned places(Framed(Records(100, 90)), {}, CloseLimits());
  const std::vector<uint64_t> known{5};
  CHECK(!gather.Plan(places.index(), known.data(), known.size()));
}

TEST(NoDamageIsReadAsARecord) {
  std::mt19937 random(3);
  const std::vector<std::string> records = Records(1000, 300);
  const TestFile on_disk;
  for (const std::string& file : Files(records)) {
    const Scanned scanned(file, {}, WithOffsets());
    size_t faults = 0;
    for (int round = 0; round < 300; ++round) {
      std::string damaged = file;
      if (round % 4 == 0) {
        damaged.resize(random() % file.size());
      } else {
        damaged[random() % file.size()] ^=
            static_cast<char>(1 + random() % 255);
      }
      on_disk.Put(damaged);
      const auto numbers = Numbers(200, records.size(), &random);
      const auto gathered =
          Gather(scanned.index(), TestFile::kPath, numbers, &random);
      if (gathered.fault) {
        ++faults;
        continue;
      }
      for (size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE(gathered.records[i] == records[numbers[i]]);
      }
    }
    CHECK(faults > 30);
  }
}

TEST(AFaultNamesItsRecord) {
  std::mt19937 random(4);
  const std::vector<std::string> records(400, std::string(100, 'a'));
  const TestFile on_disk;
  const std::string content = Framed(records);
  for (const bool zipped : {false, true}) {
    std::string damaged = content;
    damaged[116 * 250 + 50] = 'b';
    const std::string file = zipped ? Gzip(damaged) : damaged;
    on_disk.Put(file);
    const Scanned scanned(file, {}, WithOffsets());
    const auto found =
        Gather(scanned.index(), TestFile::kPath, {7, 250, 3}, &random);
    CHECK_EQ(found.fault.code, FaultCode::kCorruptData);
    CHECK_EQ(found.fault.record, 250u);
    CHECK_EQ(found.fault.offset, 116u * 250);
    ReaderSpec lengths;
    lengths.verify = Verify::kLength;
    const auto read =
        Gather(scanned.index(), TestFile::kPath, {250}, &random, lengths);
    CHECK(!read.fault);
    CHECK(read.records[0] == damaged.substr(116 * 250 + 12, 100));
  }
}

TEST(AMissingFileIsAFault) {
  std::mt19937 random(5);
  for (const std::string& file : Files(Records(100, 90))) {
    const Scanned scanned(file, {}, WithOffsets());
    const auto gathered =
        Gather(scanned.index(), "no-such-file.tfrecord", {5, 50}, &random);
    CHECK_EQ(gathered.fault.code, FaultCode::kSystem);
  }
}
