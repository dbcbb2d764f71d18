#include "core/record/slab_stream.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "core/io/file_source.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

/// Offset of record `n` in `Framed(kFive)`.
uint64_t StartOf(size_t n) {
  uint64_t offset = 0;
  for (size_t i = 0; i < n; ++i) offset += kFive[i].size() + kFramingSize;
  return offset;
}

constexpr size_t kPieces[] = {1, 7, 64, 1000, 1 << 20};

TEST(RecordsAreReadInFullInPiecesOfAnySize) {
  for (const std::string& file : {Framed(kFive), Gzip(Framed(kFive))}) {
    for (size_t piece : kPieces) {
      for (size_t slab : {64, 4096, 1 << 20}) {
        const Reading reading = Read(file, piece, slab);
        CHECK(reading.records == kFive);
        CHECK_EQ(reading.outcome, FillOutcome::kEnd);
        CHECK(reading.faults.empty());
      }
    }
  }
}

TEST(EmptyStreamHasNoRecords) {
  for (const auto option : {Compression::kAuto, Compression::kNone,
                            Compression::kGzip, Compression::kZlib}) {
    ReadOptions options;
    options.compression = option;
    const Reading reading = Read("", 1, 64, options);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    CHECK(reading.records.empty());
  }
}

TEST(EveryCutIsTruncatedAfterTheWholeRecords) {
  const std::string file = Framed(kFive);
  for (size_t keep = 1; keep < file.size(); keep += keep < 60 ? 1 : 61) {
    size_t whole = 0;
    while (StartOf(whole + 1) <= keep) ++whole;
    const bool clean = StartOf(whole) == keep;
    const Reading reading = Read(file.substr(0, keep), 100);
    CHECK_EQ(reading.records.size(), whole);
    CHECK_EQ(reading.outcome, clean ? FillOutcome::kEnd : FillOutcome::kHalt);
    if (clean) continue;
    CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
    CHECK_EQ(reading.halt.record, whole);
    CHECK_EQ(reading.halt.offset, StartOf(whole));
  }
}

/// The number after that of the last record.
uint64_t Counted(const Reading& reading) {
  return reading.numbers.empty() ? 0 : reading.numbers.back() + 1;
}

TEST(CountingFillsFindWhatUnreadOnesFind) {
  ReadOptions unread;
  unread.verify = Verify::kUnread;
  unread.max_record_bytes = 6000;
  ReadOptions counted = unread;
  counted.verify = Verify::kCounted;
  const auto check = [&](const std::string& file, size_t piece, size_t slab) {
    const Reading all = Read(file, piece, slab, unread, true);
    const Reading last = Read(file, piece, slab, counted, true);
    CHECK_EQ(Counted(last), Counted(all));
    CHECK_EQ(last.outcome, all.outcome);
    CHECK_EQ(last.halt.code, all.halt.code);
    CHECK_EQ(last.halt.record, all.halt.record);
    CHECK_EQ(last.halt.offset, all.halt.offset);
    CHECK_EQ(last.compressed_bytes, all.compressed_bytes);
    CHECK(last.records.size() <= all.records.size());
  };
  std::vector<std::string> many = kFive;
  many.insert(many.end(), 300, "small");
  many.insert(many.begin() + 100, std::string(7000, 'l'));
  many.insert(many.end(), 20, std::string(5900, 'm'));
  for (size_t piece : kPieces) {
    for (size_t slab : {64, 4096, 1 << 20}) {
      for (const std::string& file : {Framed(kFive), Framed(many),
                                      Framed(many) + "x", Gzip(Framed(many))}) {
        check(file, piece, slab);
      }
    }
  }
  const std::string file = Framed(many);
  for (size_t keep = 0; keep < file.size(); keep += 97) {
    check(file.substr(0, keep), 1000, 4096);
    check(file.substr(0, keep) + std::string(40, 'z'), 1000, 4096);
  }
}

TEST(ACountingFillGoesOverMuchMoreThanASlab) {
  ReadOptions options;
  options.verify = Verify::kCounted;
  const std::vector<std::string> records(20000, std::string(1000, 'r'));
  const std::string file = Framed(records);
  for (const std::string& stored : {file, Gzip(file)}) {
    const Reading reading = Read(stored, stored.size(), 4096, options);
    CHECK_EQ(Counted(reading), records.size());
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    // Those of two fills, each of 16 MiB and of at most one slab's records.
    CHECK(reading.records.size() <= 8);
  }
}

TEST(EveryCutOfAGzipFileIsTruncated) {
  const std::string file = Gzip(Framed(kFive));
  for (size_t keep = 1; keep < file.size(); ++keep) {
    const Reading reading = Read(file.substr(0, keep), 33);
    CHECK_EQ(reading.outcome, FillOutcome::kHalt);
    CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
    if (keep >= 3) CHECK_EQ(reading.halt.compressed_offset, keep);
    CHECK_EQ(reading.halt.offset, StartOf(reading.records.size()));
    if (keep + 8 >= file.size()) CHECK_EQ(reading.records.size(), kFive.size());
  }
}

TEST(FlippedDataIsReportedAndReadingContinues) {
  std::string file = Framed(kFive);
  file[StartOf(3) + kHeaderSize + 17] ^= 0x10;
  for (size_t piece : kPieces) {
    const Reading reading = Read(file, piece);
    CHECK_EQ(reading.records.size(), kFive.size());
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    REQUIRE_EQ(reading.faults.size(), 1u);
    CHECK_EQ(reading.faults[0].code, FaultCode::kCorruptData);
    CHECK_EQ(reading.faults[0].record, 3u);
    CHECK_EQ(reading.faults[0].offset, StartOf(3));
  }
}

TEST(FlippedLengthStopsTheStream) {
  for (size_t byte = 0; byte < kHeaderSize; ++byte) {
    std::string file = Framed(kFive);
    file[StartOf(2) + byte] ^= 0x01;
    const Reading reading = Read(file, 50);
    CHECK_EQ(reading.records.size(), 2u);
    CHECK_EQ(reading.halt.code, FaultCode::kCorruptLength);
    CHECK_EQ(reading.halt.record, 2u);
    CHECK_EQ(reading.halt.offset, StartOf(2));
  }
}

/// `records` with checksums that `change` makes of the right ones.
template <typename Change>
std::string Resummed(const std::vector<std::string>& records, bool lengths,
                     Change change) {
  std::string file;
  for (const std::string& record : records) {
    std::string framed = Framed(record);
    const size_t sum = lengths ? kLengthSize : framed.size() - kFooterSize;
    const uint32_t wrong = change(LoadLE32(Data(framed) + sum));
    framed.replace(sum, kCrcSize, Number32(wrong));
    file += framed;
  }
  return file;
}

TEST(RecordsThatFitByTheirLengthsAreCounted) {
  const std::vector<std::string> few = {"zero", "first", std::string(900, 'x')};
  std::vector<std::string> many(30, std::string(700, 'r'));
  const auto wrong = [](uint32_t sum) { return sum + 1; };
  for (const size_t piece : kPieces) {
    for (const size_t slab : {4096, 1 << 20}) {
      const auto fitting = [&](const std::string& file) {
        const Reading reading = Read(file, piece, slab);
        CHECK_EQ(reading.halt.code, FaultCode::kCorruptLength);
        CHECK_EQ(reading.halt.record, 0u);
        return reading.halt.fitting;
      };
      CHECK_EQ(fitting(Resummed(few, true, wrong)), 3u);
      CHECK_EQ(fitting(Resummed({few[2]}, true, wrong)), 1u);
      CHECK_EQ(fitting(Gzip(Resummed(few, true, wrong))), 3u);
      CHECK_EQ(fitting(Resummed(many, true, wrong)), slab > 4096 ? 20u : 6u);
      // A cut file, damage that breaks the chain, a length that is wrong, and
      // zeros.
      const std::string cut = Resummed(few, true, wrong);
      CHECK_EQ(fitting(cut.substr(0, cut.size() - 2)), 2u);
      CHECK_EQ(fitting(cut + std::string(12, '\x91')), 0u);
      CHECK_EQ(fitting(Resummed({few[2]}, true, wrong).substr(0, 600)), 0u);
      std::string longer = Framed(few);
      longer[0] ^= 1;
      CHECK_EQ(fitting(longer), 0u);
      std::string none = Framed(few);
      none.replace(0, kHeaderSize, kHeaderSize, '\0');
      CHECK_EQ(fitting(none), 0u);
      // One length without a checksum suffices.
      const auto zero = [](uint32_t) { return 0u; };
      CHECK_EQ(fitting(Resummed({few[2]}, true, zero).substr(0, 600)), 0u);
      CHECK_EQ(fitting(Resummed({few[0], few[2]}, true, zero).substr(0, 600)),
               1u);
    }
  }
}

TEST(LengthsBehindTheSlabAreFollowedInPlainFiles) {
  const auto wrong = [](uint32_t sum) { return sum ^ 0x10; };
  const std::vector<std::string> large(25, std::string(9000, 'L'));
  const std::string file = Resummed(large, true, wrong);
  CHECK_EQ(ReadPositioned(file).halt.fitting, 20u);
  CHECK_EQ(ReadPositioned(file.substr(0, 3 * 9016)).halt.fitting, 3u);
  CHECK_EQ(ReadPositioned(file.substr(0, 3 * 9016 - 1)).halt.fitting, 2u);
  // Streams show only the first of them.
  CHECK_EQ(Read(file, 1000, 4096).halt.fitting, 0u);
}

TEST(FirstRecordsWithWrongDataChecksumsAreCounted) {
  const auto wrong = [](uint32_t sum) { return ~sum; };
  const auto fitting = [](const std::string& file) {
    const Reading reading = Read(file, 1 << 20, 1 << 16);
    CHECK_EQ(reading.faults[0].code, FaultCode::kCorruptData);
    return reading.faults[0].fitting;
  };
  CHECK_EQ(fitting(Resummed(kFive, false, wrong)), 5u);
  CHECK_EQ(fitting(Resummed({"alone"}, false, wrong)), 0u);
  CHECK_EQ(fitting(Resummed({"alone"}, false, [](uint32_t) { return 0u; })),
           1u);
  // Damage of one record.
  CHECK_EQ(fitting(Resummed({"x"}, false, wrong) + Framed(kFive)), 0u);
  CHECK_EQ(fitting(Framed("right") + Resummed(kFive, false, wrong)), 0u);
}

TEST(AHugeLengthNeverAllocates) {
  const std::string file = Framed("first") + Header(uint64_t{1} << 40);
  const Reading reading = Read(file);
  CHECK_EQ(reading.records.size(), 1u);
  CHECK_EQ(reading.halt.code, FaultCode::kRecordTooLarge);
  CHECK_EQ(reading.halt.found, uint64_t{1} << 40);
  CHECK_EQ(reading.halt.offset, 21u);
  CHECK_EQ(reading.grown_to, 0u);
}

TEST(AnAllowedLengthWithoutItsBytesRequestsNoSlab) {
  const Reading reading = Read(Header(0x7fffffff) + "little");
  CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
  CHECK_EQ(reading.halt.expected, 0x7fffffffu + kFramingSize);
  CHECK_EQ(reading.halt.found, kHeaderSize + 6);
  CHECK_EQ(reading.grown_to, 0u);
}

TEST(TooLargeRecordsCanBeSkipped) {
  ReadOptions options;
  options.max_record_bytes = 4999;
  for (const std::string& file : {Framed(kFive), Gzip(Framed(kFive))}) {
    for (size_t piece : kPieces) {
      for (size_t slab : {64, 8192}) {
        const Reading reading = Read(file, piece, slab, options, true);
        CHECK_EQ(reading.outcome, FillOutcome::kEnd);
        CHECK(reading.records ==
              std::vector<std::string>({"zero", "", "two", "four"}));
      }
    }
  }
  // Huge lengths saturate: skipping ends at the end of the file.
  for (uint64_t length : {~uint64_t{0}, ~uint64_t{0} - 15, ~uint64_t{0} - 16}) {
    const Reading reading =
        Read(Header(length) + "behind", 1 << 20, 4096, options, true);
    CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
    CHECK_EQ(reading.halt.found, kHeaderSize + 6);
  }
}

TEST(ForeignFilesAreNamed) {
  const struct {
    std::string bytes;
    const char* name;
  } cases[] = {
      {std::string("PK\x03\x04", 4) + std::string(100, '\1'), "a zip archive"},
      {"PAR1" + std::string(100, '\2'), "a Parquet file"},
      {"<!DOCTYPE html><title>404</title>", "an HTML page"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00",
       "a Git LFS pointer (run `git lfs pull`)"},
      {std::string(40, '\0'), "zeros"},
      {"{\"a\": [1, 2, 3], \"b\": null}", "JSON text"},
      {"name,age\nAnn,29\nBob,31\n", "text"},
  };
  for (const auto& c : cases) {
    for (size_t piece : kPieces) {
      const Reading reading = Read(c.bytes, piece);
      CHECK_EQ(reading.halt.code, FaultCode::kNotTFRecord);
      CHECK_EQ(std::string(reading.halt.detail), c.name);
    }
  }
  // Noise has no name; after a record, no format is detected.
  const std::string noise = "\x93\x11\xfe\x80\x01\xa7\xcc\x08\x99\x1f\x8b\x55q";
  CHECK_EQ(Read(noise).halt.code, FaultCode::kCorruptLength);
  const std::string zeros(12, '\0');
  CHECK_EQ(Read(Framed("a") + zeros).halt.code, FaultCode::kCorruptLength);
}

TEST(ANamedCompressionMustMatch) {
  const struct {
    std::string bytes;
    Compression option;
    const char* found;
  } cases[] = {
      {Framed(kFive), Compression::kGzip, "an uncompressed TFRecord file"},
      {Framed(kFive), Compression::kZlib, "an uncompressed TFRecord file"},
      {Gzip(Framed(kFive)), Compression::kNone, "gzip data"},
      {Gzip(Framed(kFive)), Compression::kZlib, "gzip data"},
      {"PK\x03\x04 and so on, and so on", Compression::kGzip, "a zip archive"},
  };
  for (const auto& c : cases) {
    ReadOptions options;
    options.compression = c.option;
    for (size_t piece : kPieces) {
      const Reading reading = Read(c.bytes, piece, 4096, options);
      CHECK_EQ(reading.halt.code, FaultCode::kCompression);
      CHECK_EQ(std::string(reading.halt.detail), c.found);
    }
  }
}

TEST(PlainFilesThatStartLikeCompressedOnesArePlain) {
  for (size_t length : {40056, 559903}) {
    const std::vector<std::string> records = {std::string(length, 'r')};
    const Reading reading = Read(Framed(records), 100000);
    CHECK(reading.records == records);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
  }
}

TEST(BytesAfterAGzipMemberAreTrailingData) {
  const std::string file = Gzip(Framed(kFive));
  for (size_t piece : kPieces) {
    const Reading reading = Read(file + "xyz", piece);
    CHECK(reading.records == kFive);
    CHECK_EQ(reading.halt.code, FaultCode::kTrailingData);
    CHECK_EQ(reading.halt.compressed_offset, file.size());
    CHECK_EQ(reading.halt.record, 5u);
  }
}

TEST(MembersMayEndAnywhere) {
  const std::string plain = Framed(kFive);
  for (size_t at = 0; at <= plain.size(); at += 13) {
    const std::string file =
        Gzip(plain.substr(0, at)) + Gzip("") + Gzip(plain.substr(at));
    const Reading reading = Read(file, 50);
    CHECK(reading.records == kFive);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
  }
}

TEST(AReadOfMembersWithoutBytesEndsSoon) {
  std::string file = Gzip(Framed("only"));
  const std::string empty = Gzip("");
  for (int i = 0; i < 100000; ++i) file += empty;
  auto source = std::make_unique<FedSource>();
  REQUIRE(source->Feed(Data(file), file.size(), true));
  ContentStream content(std::move(source), Compression::kAuto);
  std::vector<uint8_t> bytes(4096);
  size_t got = 0;
  Fault fault;
  REQUIRE_EQ(content.Read(bytes.data(), bytes.size(), &got, &fault),
             ReadState::kBytes);
  CHECK_EQ(got, Framed("only").size());
  REQUIRE_EQ(content.Read(bytes.data(), bytes.size(), &got, &fault),
             ReadState::kBytes);
  CHECK_EQ(got, 0u);
  CHECK(content.consumed() < file.size() / 2);
  CHECK_EQ(Read(file).records.size(), 1u);
}

TEST(CancelledWorkEndsWithoutReading) {
  CancelToken cancel;
  cancel.Cancel();
  SlabStream stream(NewFileSource("no-such-file.tfrecord"),
                    NewTfrecordFramer({}), {});
  std::vector<uint8_t> slab(64);
  SlabFill fill;
  stream.FillSlab(slab.data(), slab.size(), cancel, &fill);
  CHECK_EQ(fill.outcome, FillOutcome::kCancelled);
}

}  // namespace
}  // namespace tfr::test
