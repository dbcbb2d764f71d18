/// Reading by ranges gives the same as reading a file, whatever the order in
/// which the ranges come: records, numbers, faults, and where reading ends.
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "core/compression/checksum.h"
#include "core/record/framing/fixed_framer.h"
#include "core/record/framing/line_framers.h"
#include "test/record/slab_reader_support.h"
#include "test/support/check.h"
#include "test/support/range_feeding.h"

namespace tfr::test {
namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435769u + 1) {}

  uint64_t operator()(uint64_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return below == 0 ? 0 : (state_ >> 33) % below;
  }

 private:
  uint64_t state_;
};

std::string Noise(size_t size, uint64_t seed) {
  Random random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random(256));
  return bytes;
}

/// Most are short; `size` is that of the longest.
std::vector<std::string> Records(size_t count, size_t size) {
  std::vector<std::string> records;
  for (size_t i = 0; i < count; ++i) {
    records.push_back(Noise(i % 10 == 9 ? size : 40 * (i % 7), i));
  }
  return records;
}

std::string OurFile(const std::vector<std::string>& records, size_t each) {
  std::string file;
  for (size_t i = 0; i < records.size(); i += each) {
    const size_t end = std::min(records.size(), i + each);
    const std::vector<std::string> part(
        records.begin() + static_cast<std::ptrdiff_t>(i),
        records.begin() + static_cast<std::ptrdiff_t>(end));
    file += OurMember(Framed(part), static_cast<uint32_t>(part.size()),
                      file.size());
  }
  return file;
}

std::string Zlib(const std::string& content) {
  const auto deflater = NewBlockDeflater(6);
  std::string out(deflater->Bound(content.size()), '\0');
  out.resize(deflater->Deflate(Data(content), content.size(),
                               reinterpret_cast<uint8_t*>(out.data()),
                               out.size()));
  std::string sum(4, '\0');
  const uint32_t adler = Adler32(1, Data(content), content.size());
  for (int i = 0; i < 4; ++i) {
    sum[static_cast<size_t>(i)] = static_cast<char>(adler >> (24 - 8 * i));
  }
  return std::string("\x78\x9c", 2) + out + sum;
}

using NewFramer = std::unique_ptr<Framer> (*)();

/// Reads as a file and by ranges, in several orders of feeding.
void CheckSame(const std::string& name, const std::string& file,
               const ReadOptions& options = {}, bool skip = false,
               NewFramer framer = nullptr, size_t rounds = 6) {
  const auto make = [&] { return framer == nullptr ? nullptr : framer(); };
  for (const size_t slab : {600, 4096, 200000}) {
    const Reading whole =
        ReadPositioned(file, slab, options, skip, nullptr, make());
    for (size_t round = 0; round < rounds; ++round) {
      RangeOptions ranges;
      ranges.knows_size = round % 3 != 2;
      ranges.most_ahead = round % 2 == 0 ? uint64_t{1} << 20 : 0;
      const Reading reading =
          ReadRanges(file, Random(round), slab, options, skip, make(), ranges);
      const char* const differs = Difference(whole, reading);
      Report(differs == nullptr, __FILE__, __LINE__,
             name + ", slab " + std::to_string(slab) + ", round " +
                 std::to_string(round) + ": " +
                 (differs == nullptr ? "" : differs));
    }
  }
}

TEST(PlainFilesOfAnyRecords) {
  CheckSame("empty", "");
  CheckSame("five", Framed(kFive));
  CheckSame("short", Framed(Records(2000, 300)));
  CheckSame("mixed", Framed(Records(300, 30000)));
  CheckSame("large", Framed(Records(30, 700000)), {}, false, nullptr, 3);
  std::vector<std::string> all_large;
  for (size_t i = 0; i < 30; ++i) all_large.push_back(Noise(20000 + i, i));
  CheckSame("all large", Framed(all_large));
}

TEST(CompressedFiles) {
  const std::vector<std::string> records = Records(200, 30000);
  CheckSame("one member", Gzip(Framed(records)));
  CheckSame("ours", OurFile(records, 7));
  CheckSame("one of ours", OurFile(records, records.size()));
  CheckSame("foreign after ours", OurFile(records, 50) + Gzip(Framed(kFive)));
  CheckSame("empty members", Gzip("") + OurFile(kFive, 1) + Gzip(""));
  CheckSame("zlib", Zlib(Framed(records)));
  const Reading reading = ReadRanges(Zlib(Framed(records)), Random(1));
  CHECK(reading.records == records);
  CHECK(ReadRanges(OurFile(records, 7), Random(2)).records == records);
}

TEST(LinesAndCsvAndFixedRecords) {
  std::string text;
  for (size_t i = 0; i < 3000; ++i) {
    text += std::to_string(i) + ",\"a\nb\"," + std::string(i % 50, 'x');
    text += i % 3 == 0 ? "\r\n" : "\n";
  }
  text += std::string(300000, 'y') + "\nlast";
  ReadOptions options;
  options.content = ContentRule::kBytes;
  for (const std::string& file : {text, Gzip(text), Zlib(text)}) {
    CheckSame("lines", file, options, false,
              [] { return NewLineFramer(0x7fffffff); });
    CheckSame("csv", file, options, false,
              [] { return NewCsvFramer(',', 0x7fffffff); });
    CheckSame("fixed", file, options, false,
              [] { return NewFixedFramer({10, 3, 2, 10}, {0, 0}); });
    CheckSame("long lines", file, options, true,
              [] { return NewLineFramer(40); });
  }
}

TEST(DamagedPlainFiles) {
  const std::vector<std::string> records = Records(200, 30000);
  const std::string good = Framed(records);
  Random random(7);
  for (int i = 0; i < 12; ++i) {
    std::string bad = good;
    for (int flips = 0; flips <= i % 3; ++flips) {
      bad[random(bad.size())] ^= static_cast<char>(1 << random(8));
    }
    if (i % 4 == 1) bad.resize(random(bad.size()));
    for (const bool counts : {false, true}) {
      ReadOptions options;
      options.continues = options.counts_lost = counts;
      CheckSame("damaged", bad, options, counts, nullptr, 3);
    }
  }
}

/// Headers that lie far apart are looked at, to judge the first length.
TEST(WrongLengthChecksumsFromTheStartOn) {
  for (const size_t size : {100, 70000}) {
    std::string file;
    for (size_t i = 0; i < 30; ++i) {
      std::string record = Framed(Noise(size + i, i));
      for (int at = 8; at < 12; ++at) record[static_cast<size_t>(at)] = '\0';
      file += record;
    }
    CheckSame("no checksums", file);
    const Reading reading = ReadRanges(file, Random(3));
    CHECK_EQ(reading.halt.code, FaultCode::kCorruptLength);
    CHECK_EQ(reading.halt.fitting, 20u);
  }
}

TEST(DamagedCompressedFiles) {
  const std::vector<std::string> records = Records(120, 9000);
  Random random(11);
  for (const std::string& good :
       {Gzip(Framed(records)), OurFile(records, 10), Zlib(Framed(records))}) {
    for (int i = 0; i < 8; ++i) {
      std::string bad = good;
      bad[random(bad.size())] ^= static_cast<char>(1 << random(8));
      if (i % 4 == 1) bad.resize(random(bad.size()));
      for (const bool counts : {false, true}) {
        ReadOptions options;
        options.continues = options.counts_lost = counts;
        CheckSame("damaged", bad, options, counts, nullptr, 3);
      }
    }
  }
}

TEST(RecordsThatAreTooLargeAreSkipped) {
  const std::vector<std::string> records = Records(100, 900000);
  const std::string file = Framed(records);
  ReadOptions options;
  options.max_record_bytes = 1000;
  options.continues = true;
  CheckSame("too large", file, options, true, nullptr, 3);
  uint64_t fed = 0;
  const auto in_order = [](uint64_t) { return uint64_t{0}; };
  const Reading reading =
      ReadRanges(file, in_order, 4096, options, true, nullptr, {}, &fed);
  CHECK_EQ(reading.records.size(), 90u);
  // Most of their data is not fetched.
  CHECK(fed < file.size() / 4);
}

TEST(UnreadDataIsNotFetched) {
  std::vector<std::string> records;
  for (size_t i = 0; i < 50; ++i) {
    records.push_back(Noise(400000 + 1000 * (i % 7), i));
  }
  const std::string file = Framed(records);
  ReadOptions options;
  options.verify = Verify::kUnread;
  for (const uint64_t seed : {1, 2, 3}) {
    uint64_t fed = 0;
    const bool orderly = seed == 1;
    const RangeFeeder::Choose choose =
        orderly ? RangeFeeder::Choose([](uint64_t) { return uint64_t{0}; })
                : RangeFeeder::Choose(Random(seed));
    const Reading reading = ReadRanges(file, choose, size_t{1} << 17, options,
                                       false, nullptr, {}, &fed);
    REQUIRE_EQ(reading.records.size(), records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      CHECK_EQ(reading.records[i].size(), records[i].size());
      CHECK_EQ(reading.numbers[i], i);
    }
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    if (orderly) CHECK(fed < file.size() / 4);
  }
}

/// Half of the sources turn out to be shorter than their size. Of the others, a
/// range never comes.
TEST(AnEarlyEndAndALostRangeComeAfterAllRecordsBefore) {
  const std::vector<std::string> records = Records(300, 30000);
  for (const std::string& file :
       {Framed(records), Gzip(Framed(records)), OurFile(records, 10)}) {
    Random random(5);
    for (int i = 0; i < 20; ++i) {
      const uint64_t at = random(file.size());
      const bool ends = i % 2 == 0;
      // A file that ends there has the same records.
      const Reading cut = ReadPositioned(file.substr(0, at));
      auto source = std::make_unique<RangeSource>(file.size(), 0, 1 << 20);
      RangeSource* const ranges = source.get();
      if (ends) ranges->EndAt(at);
      const auto more = [&] {
        ByteRange wants[4];
        const size_t count = ranges->Wants(wants, 4);
        if (count == 0 || wants[0].position >= at) return false;
        const ByteRange& range = wants[random(count)];
        const uint64_t end =
            std::min(at, range.position + 1 + random(range.size));
        if (range.position >= end) return true;
        return ranges->Feed(range.position, Data(file) + range.position,
                            static_cast<size_t>(end - range.position));
      };
      const Reading reading =
          ReadSource(std::move(source), 4096, {}, false, more);
      CHECK(reading.records == cut.records);
      if (!ends) {
        CHECK_EQ(reading.outcome, FillOutcome::kInput);
        continue;
      }
      REQUIRE_EQ(reading.outcome, FillOutcome::kHalt);
      CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
      CHECK_EQ(reading.halt.record, cut.records.size());
    }
  }
}

TEST(ReadingBeginsAtAPosition) {
  const std::vector<std::string> records = Records(300, 30000);
  const std::string file = Framed(records);
  const uint64_t start =
      Framed(std::vector<std::string>(records.begin(), records.begin() + 100))
          .size();
  ReadOptions options;
  options.start.offset = start;
  options.start.record = 100;
  auto source = std::make_unique<RangeSource>(file.size(), start, 1 << 20);
  RangeFeeder feeder(&file, source.get(), Random(9));
  const Reading reading = ReadSource(std::move(source), 4096, options, false,
                                     [&] { return feeder.Feed(); });
  CHECK(reading.records ==
        std::vector<std::string>(records.begin() + 100, records.end()));
  CHECK_EQ(reading.numbers.front(), 100u);
  CHECK_EQ(reading.outcome, FillOutcome::kEnd);
}

/// Pool threads read while this thread feeds.
TEST(ThreadsReadWhileAnotherFeeds) {
  const std::vector<std::string> records = Records(400, 30000);
  for (const std::string& file :
       {Framed(records), Gzip(Framed(records)), OurFile(records, 10)}) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      auto source =
          std::make_unique<RangeSource>(file.size(), 0, uint64_t{1} << 20);
      RangeFeeder feeder(&file, source.get(), Random(seed));
      ReadOptions options;
      options.ahead.least_content = 1;
      const auto reader = std::make_shared<SlabReader>(
          std::move(source), NewTfrecordFramer(options), options, nullptr);
      std::vector<std::string> read;
      size_t size = 8192;
      FillOutcome outcome = FillOutcome::kMore;
      while (outcome != FillOutcome::kEnd && outcome != FillOutcome::kHalt) {
        const Requests requests = NewRequests(3, size);
        FillAll(reader.get(), requests);
        for (int i = 0; i < 4; ++i) feeder.Feed();
        WaitForAll(requests);
        for (std::string& record : RecordsOf(requests)) {
          read.push_back(std::move(record));
        }
        size = 8192;
        for (const auto& request : requests) {
          outcome = request->fill.outcome;
          if (outcome == FillOutcome::kGrow) {
            size = static_cast<size_t>(request->fill.grow_to);
          }
        }
      }
      CHECK_EQ(outcome, FillOutcome::kEnd);
      CHECK(read == records);
      CloseAndWait(reader.get());
    }
  }
}

TEST(AReaderMayBeClosedWhileItIsDry) {
  const std::string file = Framed(Records(400, 30000));
  auto source =
      std::make_unique<RangeSource>(file.size(), 0, uint64_t{1} << 20);
  RangeSource* const ranges = source.get();
  const auto reader = std::make_shared<SlabReader>(
      std::move(source), NewTfrecordFramer({}), ReadOptions(), nullptr);
  const Requests requests = NewRequests(3, 8192);
  FillAll(reader.get(), requests);
  reader->Cancel();
  Closing closing;
  reader->Close(&closing);
  // Until the handle is gone, an answer may still come in.
  CHECK(ranges->Feed(0, Data(file), file.size()));
  closing.closed.Wait();
  WaitForAll(requests);
  CHECK(ranges->Feed(0, Data(file), file.size()));
  ByteRange want;
  CHECK_EQ(ranges->Wants(&want, 1), 0u);
}

}  // namespace
}  // namespace tfr::test
