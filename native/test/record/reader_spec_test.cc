#include "core/record/reader_spec.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

/// Numbers that `Decode` accepts, each different from its default.
ReaderSpecNumbers Numbers() {
  ReaderSpecNumbers numbers;
  numbers.compression = 1;
  numbers.verify = 2;
  numbers.max_record_bytes = 1000;
  numbers.continues = 1;
  numbers.counts_lost = 1;
  numbers.members_ahead = 1;
  numbers.start_record = 7;
  numbers.start_offset = 700;
  return numbers;
}

ReaderSpec Decoded(const ReaderSpecNumbers& numbers) {
  ReaderSpec spec;
  REQUIRE(Decode(numbers, &spec));
  return spec;
}

/// Reads `bytes`, whose first byte is the one at the start of `spec`; fed in
/// pieces of `piece` bytes, or, with 0, as from a file.
Reading ReadBySpec(const std::string& bytes, const ReaderSpec& spec,
                   size_t piece) {
  const ReadOptions options = ReadOptionsOf(spec);
  return piece == 0 ? ReadPositioned(bytes, 4096, options, false, nullptr,
                                     NewFramer(spec))
                    : Read(bytes, piece, 4096, options, false, NewFramer(spec));
}

}  // namespace

TEST(NumbersAreDecoded) {
  const ReaderSpec spec = Decoded(Numbers());
  CHECK_EQ(spec.compression, Compression::kGzip);
  CHECK_EQ(spec.verify, Verify::kNone);
  CHECK_EQ(spec.max_record_bytes, 1000u);
  CHECK(spec.continues);
  CHECK(spec.counts_lost);
  CHECK(spec.ahead.most_content > 0);
  CHECK_EQ(spec.start.record, 7u);
  CHECK_EQ(spec.start.offset, 700u);
  CHECK_EQ(spec.start.position(), 700u);
  CHECK_EQ(spec.framing.kind, FramingKind::kRecords);

  ReaderSpecNumbers other = Numbers();
  other.continues = other.counts_lost = other.members_ahead = 0;
  const ReaderSpec plain = Decoded(other);
  CHECK(!plain.continues);
  CHECK(!plain.counts_lost);
  CHECK_EQ(plain.ahead.most_content, 0u);
}

TEST(FramingIsDecoded) {
  ReaderSpecNumbers numbers = Numbers();
  numbers.framing[0] = 2;
  numbers.framing[1] = '\t';
  const Framing csv = Decoded(numbers).framing;
  CHECK_EQ(csv.kind, FramingKind::kCsv);
  CHECK_EQ(csv.delimiter, '\t');
  const double fixed[] = {3, 10, 20, 30, 40};
  std::copy(std::begin(fixed), std::end(fixed), numbers.framing);
  const FixedLayout layout = Decoded(numbers).framing.layout;
  CHECK_EQ(layout.record_bytes, 10u);
  CHECK_EQ(layout.header_bytes, 20u);
  CHECK_EQ(layout.footer_bytes, 30u);
  CHECK_EQ(layout.hop_bytes, 40u);
}

TEST(WrongNumbersAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const auto refused = [](double ReaderSpecNumbers::* member, double value) {
    ReaderSpecNumbers numbers = Numbers();
    numbers.*member = value;
    ReaderSpec spec;
    CHECK(!Decode(numbers, &spec));
  };
  for (const double wrong : {-1.0, 4.0, 0.5, nan, infinite}) {
    refused(&ReaderSpecNumbers::compression, wrong);
  }
  for (const double wrong : {-1.0, 6.0, 0.5, nan, infinite}) {
    refused(&ReaderSpecNumbers::verify, wrong);
  }
  // The next one would not fit into a slab with its framing.
  ReaderSpecNumbers longest = Numbers();
  longest.max_record_bytes = 4294967279.0;
  CHECK_EQ(Decoded(longest).max_record_bytes, 4294967279u);
  for (const double wrong : {-1.0, 4294967280.0, 0.5, nan, infinite}) {
    refused(&ReaderSpecNumbers::max_record_bytes, wrong);
  }
  for (const double wrong : {-1.0, 1e16, 0.5, nan, infinite}) {
    refused(&ReaderSpecNumbers::start_record, wrong);
    refused(&ReaderSpecNumbers::start_offset, wrong);
  }
  const std::vector<std::vector<double>> framings = {{4},
                                                     {-1},
                                                     {0.5},
                                                     {nan},
                                                     {2, 256},
                                                     {2, -1},
                                                     {3, 0, 0, 0, 1},
                                                     {3, 1, 0, 0, 0},
                                                     {3, 1, -1, 0, 1},
                                                     {3, 1, 0, 1e16, 1}};
  for (const auto& framing : framings) {
    ReaderSpecNumbers numbers = Numbers();
    std::copy(framing.begin(), framing.end(), numbers.framing);
    ReaderSpec spec;
    CHECK(!Decode(numbers, &spec));
  }
}

TEST(OptionsFollowFromTheSpec) {
  const ReaderSpec spec = Decoded(Numbers());
  const ReadOptions options = ReadOptionsOf(spec);
  CHECK_EQ(options.compression, Compression::kGzip);
  CHECK_EQ(options.verify, Verify::kNone);
  CHECK_EQ(options.max_record_bytes, 1000u);
  CHECK(options.continues);
  CHECK(options.counts_lost);
  CHECK_EQ(options.ahead.most_content, spec.ahead.most_content);
  CHECK_EQ(options.start.record, 7u);
  CHECK_EQ(options.start.offset, 700u);
  CHECK(options.index == nullptr);
}

TEST(FormatsOtherThanRecordsHaveTheRuleOfBytes) {
  for (const FramingKind kind : {FramingKind::kRecords, FramingKind::kLines,
                                 FramingKind::kCsv, FramingKind::kFixed}) {
    ReaderSpec spec;
    spec.framing.kind = kind;
    const bool records = kind == FramingKind::kRecords;
    CHECK_EQ(ReadOptionsOf(spec).content,
             records ? ContentRule::kRecords : ContentRule::kBytes);
    CHECK_EQ(ReadOptionsOf(spec).compression, Compression::kAuto);
    spec.start.offset = 10;
    CHECK_EQ(ReadOptionsOf(spec).compression,
             records ? Compression::kAuto : Compression::kNone);
    auto from = std::make_shared<Checkpoint>();
    from->point.consumed = 3;
    spec.start.from = std::move(from);
    CHECK_EQ(ReadOptionsOf(spec).compression, Compression::kAuto);
    CHECK_EQ(spec.start.position(), 3u);
  }
}

TEST(EachFormatHasItsFramer) {
  const std::string text = "a,b\n\"c\nd\",e\r\n";
  const auto read = [&](FramingKind kind) {
    ReaderSpec spec;
    spec.framing.kind = kind;
    spec.framing.layout = {6, 0, 1, 6};
    return ReadBySpec(text, spec, 1);
  };
  CHECK(read(FramingKind::kLines).records ==
        std::vector<std::string>({"a,b", "\"c", "d\",e"}));
  CHECK(read(FramingKind::kCsv).records ==
        std::vector<std::string>({"a,b", "\"c\nd\",e"}));
  CHECK(read(FramingKind::kFixed).records ==
        std::vector<std::string>({"a,b\n\"c", "\nd\",e\r"}));
  CHECK_EQ(read(FramingKind::kRecords).halt.code, FaultCode::kNotTFRecord);
}

TEST(RecordsBeginAtAnOffset) {
  const std::string head = Framed({std::string("zero"), std::string("one")});
  const std::string rest = Framed({std::string("two"), std::string("three")});
  ReaderSpec spec;
  spec.start.record = 2;
  spec.start.offset = head.size();
  for (const size_t piece : {1, 5, 1000}) {
    const Reading reading = ReadBySpec(rest, spec, piece);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    CHECK(reading.records == std::vector<std::string>({"two", "three"}));
    CHECK(reading.numbers == std::vector<uint64_t>({2, 3}));
    CHECK_EQ(reading.offsets[0], head.size() + kHeaderSize);
  }
  std::string damaged = rest;
  damaged[kHeaderSize] ^= 1;
  for (const size_t piece : {1, 1000}) {
    const Reading reading = ReadBySpec(damaged, spec, piece);
    REQUIRE_EQ(reading.faults.size(), 1u);
    CHECK_EQ(reading.faults[0].record, 2u);
    CHECK_EQ(reading.faults[0].offset, head.size());
  }
}

TEST(BytesAtAnOffsetAreNotTakenForCompressed) {
  // The start of a gzip member, but in the middle of text.
  const std::string rest = "\x1f\x8b\x08\ntext\n";
  ReaderSpec spec;
  spec.framing.kind = FramingKind::kLines;
  const std::vector<std::string> lines = {"\x1f\x8b\x08", "text"};
  CHECK_EQ(ReadBySpec(rest, spec, 1000).halt.code, FaultCode::kTruncated);
  spec.start.record = 1;
  spec.start.offset = 10;
  for (const size_t piece : {0, 1, 1000}) {
    CHECK(ReadBySpec(rest, spec, piece).records == lines);
  }
}

TEST(AReaderIsMadeOfASpec) {
  ReaderSpec spec;
  spec.framing.kind = FramingKind::kLines;
  spec.start.record = 3;
  spec.start.offset = 20;
  const auto reader = NewSlabReader(
      std::make_unique<PositionedSource>("line\nother\n"), spec, nullptr);
  std::vector<uint8_t> slab(SlabStream::kLeastSlab);
  SlabFill fill;
  REQUIRE(reader->FillNow(slab.data(), slab.size(), &fill));
  CHECK_EQ(fill.frames.size(), 2u);
  CHECK_EQ(fill.first_record, 3u);
  CHECK_EQ(fill.base, 20u);
}

}  // namespace tfr::test
