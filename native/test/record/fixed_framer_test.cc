#include "core/record/framing/fixed_framer.h"

#include <random>
#include <string>
#include <vector>

#include "test/record/plain_framing.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

constexpr size_t kPieces[] = {1, 3, 64, 1 << 20};
constexpr size_t kSlabs[] = {64, 65, 4096};

void CheckSame(const Reading& reading, const PlainRecords& plain) {
  CHECK(reading.records == plain.records);
  CHECK(reading.offsets == plain.offsets);
  CHECK_EQ(reading.halt.code, plain.code);
  const bool whole = plain.code == FaultCode::kNone;
  CHECK_EQ(reading.outcome, whole ? FillOutcome::kEnd : FillOutcome::kHalt);
  if (whole) return;
  CHECK_EQ(reading.halt.part, plain.part);
  CHECK_EQ(reading.halt.record, plain.records.size());
  CHECK_EQ(reading.halt.offset, plain.offset);
}

std::string Bytes(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + i % 23);
  return bytes;
}

void CheckLayout(const std::string& content, const FixedLayout& layout) {
  const PlainRecords plain = PlainFixed(content, layout);
  const auto framer = [&] { return NewFixedFramer(layout, {0, 0}); };
  for (const size_t slab : kSlabs) {
    for (const size_t piece : kPieces) {
      CheckSame(Read(content, piece, slab, {}, false, framer()), plain);
    }
    CheckSame(ReadPositioned(content, slab, {}, false, nullptr, framer()),
              plain);
    CheckSame(Read(Gzip(content), 9, slab, {}, false, framer()), plain);
  }
}

TEST(RecordsAreBetweenHeaderAndFooter) {
  const FixedLayout layout = {3, 2, 1, 3};
  const Reading reading =
      Read("HHabcdefF", 1, 64, {}, false, NewFixedFramer(layout, {0, 0}));
  CHECK(reading.records == std::vector<std::string>({"abc", "def"}));
  CHECK_EQ(reading.outcome, FillOutcome::kEnd);
}

TEST(EveryLayoutOfEveryContent) {
  for (const uint64_t record : {1, 3, 70}) {
    for (const uint64_t header : {0, 2, 100}) {
      for (const uint64_t footer : {0, 1, 90}) {
        for (const uint64_t hop : {1, 3, 69, 70, 200}) {
          for (const size_t size : {0, 1, 2, 3, 4, 95, 189, 190, 400, 1003}) {
            CheckLayout(Bytes(size), {record, header, footer, hop});
          }
        }
      }
    }
  }
}

TEST(RandomLayouts) {
  std::mt19937 random(1);
  for (size_t round = 0; round < 300; round += LoopStep()) {
    const FixedLayout layout = {1 + random() % 200, random() % 200,
                                random() % 200, 1 + random() % 300};
    CheckLayout(Bytes(random() % 1000), layout);
  }
}

TEST(ReadingBeginsAtARecord) {
  const FixedLayout layout = {5, 2, 1, 3};
  const std::string content = Bytes(103);
  const PlainRecords plain = PlainFixed(content, layout);
  for (size_t n = 1; n < plain.records.size(); ++n) {
    ReadOptions options;
    options.start.record = n;
    options.start.offset = plain.offsets[n];
    auto source = std::make_unique<PositionedSource>(content);
    source->StepOver(options.start.offset);
    const Reading reading = ReadSource(
        std::move(source), 64, options, false, [] { return false; },
        NewFixedFramer(layout, {options.start.offset, n}));
    CHECK(reading.records == std::vector<std::string>(plain.records.begin() + n,
                                                      plain.records.end()));
    CHECK_EQ(reading.offsets[0], options.start.offset);
  }
}

TEST(AClaimedLengthAllocatesNothing) {
  const FixedLayout layout = {uint64_t{1} << 31, 0, 0, uint64_t{1} << 31};
  for (const bool positioned : {false, true}) {
    auto framer = NewFixedFramer(layout, {0, 0});
    const Reading reading =
        positioned
            ? ReadPositioned("few", 64, {}, false, nullptr, std::move(framer))
            : Read("few", 1, 64, {}, false, std::move(framer));
    CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
    CHECK_EQ(reading.halt.found, 3u);
    CHECK_EQ(reading.grown_to, 0u);
  }
}

}  // namespace
}  // namespace tfr::test
