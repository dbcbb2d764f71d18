#include "core/record/framing/line_framers.h"

#include <random>
#include <string>
#include <vector>

#include "test/record/plain_framing.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

constexpr size_t kPieces[] = {1, 2, 3, 7, 64, 1000, 1 << 20};
constexpr size_t kSlabs[] = {64, 65, 100, 4096};
constexpr uint64_t kMost = 1 << 30;

std::unique_ptr<Framer> NewFramer(bool csv, uint64_t most) {
  return csv ? NewCsvFramer(',', most) : NewLineFramer(most);
}

void CheckSame(const Reading& reading, const PlainRecords& plain) {
  CHECK(reading.records == plain.records);
  CHECK(reading.offsets == plain.offsets);
  CHECK_EQ(reading.halt.code, plain.code);
  const bool whole = plain.code == FaultCode::kNone;
  CHECK_EQ(reading.outcome, whole ? FillOutcome::kEnd : FillOutcome::kHalt);
  if (whole) return;
  CHECK_EQ(reading.halt.record, plain.records.size());
  CHECK_EQ(reading.halt.offset, plain.offset);
}

/// Reads `content` in pieces and slabs of all sizes, and compares with the
/// plain implementation.
void CheckContent(const std::string& content, bool csv, uint64_t most = kMost) {
  const PlainRecords plain = PlainLines(content, csv, ',', most);
  for (const size_t slab : kSlabs) {
    for (const size_t piece : kPieces) {
      CheckSame(Read(content, piece, slab, {}, false, NewFramer(csv, most)),
                plain);
      if (piece > 1) continue;
      CheckSame(ReadPositioned(content, slab, {}, false, nullptr,
                               NewFramer(csv, most)),
                plain);
      CheckSame(Read(Gzip(content), 50, slab, {}, false, NewFramer(csv, most)),
                plain);
    }
  }
}

std::vector<std::string> Lines(const std::string& content) {
  return Read(content, 3, 64, {}, false, NewLineFramer(kMost)).records;
}

using Strings = std::vector<std::string>;

TEST(LinesEndWithLineFeeds) {
  CHECK(Lines("").empty());
  CHECK(Lines("\n") == Strings({""}));
  CHECK(Lines("a") == Strings({"a"}));
  CHECK(Lines("a\n") == Strings({"a"}));
  CHECK(Lines("a\nb") == Strings({"a", "b"}));
  CHECK(Lines("a\r\n\r\n\nb") == Strings({"a", "", "", "b"}));
  CHECK(Lines("a\rb\n") == Strings({"a\rb"}));
  CHECK(Lines("a\r") == Strings({"a\r"}));
}

TEST(AMarkAtTheStartIsNotPartOfALine) {
  const std::string mark = "\xef\xbb\xbf";
  CHECK(Lines(mark).empty());
  CHECK(Lines(mark + "a\n" + mark + "b") == Strings({"a", mark + "b"}));
  CHECK(Lines(mark + "\n") == Strings({""}));
  CHECK(Lines("\xef\xbb") == Strings({"\xef\xbb"}));
  CHECK(Lines("\xef\xbb\n") == Strings({"\xef\xbb"}));
  for (const bool csv : {false, true}) {
    CheckContent(mark + "\"a\n\",b\nc", csv);
    CheckContent(mark + std::string(200, 'x') + "\ny", csv);
  }
}

TEST(QuotedFieldsHoldLineEnds) {
  const auto records = [](const std::string& content) {
    return Read(content, 1, 64, {}, false, NewCsvFramer(',', kMost)).records;
  };
  CHECK(records("a,\"b\nc\",d\ne") == Strings({"a,\"b\nc\",d", "e"}));
  CHECK(records("\"a\"\"\n\",b\r\nc\n") == Strings({"\"a\"\"\n\",b", "c"}));
  CHECK(records("a\"b\nc\"d\n") == Strings({"a\"b", "c\"d"}));
  CHECK(records("\"open\nto the end") == Strings({"\"open\nto the end"}));
  CHECK(records("\"\"\n\"\"\n") == Strings({"\"\"", "\"\""}));
}

TEST(LongLinesAreGatheredInSlabsOfTheirSize) {
  const std::string longest(100000, 'x');
  const std::string content = "a\n" + longest + "\nb\n" + longest;
  for (const bool csv : {false, true}) {
    CheckContent(content, csv);
    CheckContent(content + "\n", csv);
    CheckContent("\"" + longest + "\n" + longest + "\"\nend", csv);
    const Reading reading =
        ReadPositioned(content, 64, {}, false, nullptr, NewFramer(csv, kMost));
    CHECK(reading.grown_to <= longest.size() + kPollBytes + 1);
  }
}

TEST(ALineOfExactlyTheSlabSizeFits) {
  for (size_t length = 60; length < 70; ++length) {
    for (const char* end : {"", "\n", "\r\n", "\nb", "\r"}) {
      CheckContent("a\n" + std::string(length, 'x') + end, false);
      CheckContent(std::string(length, 'x') + end, true);
    }
  }
}

TEST(TooLongALineHaltsAfterTheOthers) {
  for (const size_t length : {9, 10, 11, 12, 13, 100, 5000}) {
    for (const char* end : {"", "\n", "\r\n", "\r", "\nb\n"}) {
      const std::string content = "a\nbb\r\n" + std::string(length, 'x') + end;
      for (const bool csv : {false, true}) CheckContent(content, csv, 10);
    }
  }
  const Reading reading =
      Read(std::string(5000, 'x'), 64, 64, {}, true, NewLineFramer(10));
  CHECK_EQ(reading.halt.code, FaultCode::kRecordTooLarge);
  CHECK_EQ(reading.halt.expected, 10u);
  CHECK(reading.halt.found > 10);
  CHECK_EQ(reading.grown_to, 0u);
}

TEST(RandomTextMatchesThePlainFramer) {
  std::mt19937 random(1);
  const char letters[] = "aab,,\"\"\n\n\r\xef";
  for (size_t round = 0; round < 300; round += LoopStep()) {
    std::string content(random() % 300, ' ');
    for (char& letter : content) letter = letters[random() % 12];
    for (const bool csv : {false, true}) CheckContent(content, csv);
    CheckContent(content, round % 2 == 0, 1 + random() % 40);
  }
}

TEST(DamageIsReportedAfterTheLinesBeforeIt) {
  const std::string content = "one\ntwo\nthree";
  std::string file = Gzip(content);
  file[file.size() - 8] ^= 1;
  for (const size_t piece : kPieces) {
    const Reading reading =
        Read(file, piece, 64, {}, false, NewLineFramer(kMost));
    CHECK(reading.records == Strings({"one", "two"}));
    CHECK_EQ(reading.halt.code, FaultCode::kCompression);
    CHECK_EQ(reading.halt.offset, 8u);
  }
}

}  // namespace
}  // namespace tfr::test
