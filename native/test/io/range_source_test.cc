/// A source that is fed by ranges: bytes that come late, short, twice,
/// overlapping, out of order, never, after closing and beyond the end;
/// what it wants; and what it holds.
#include "core/io/range_source.h"

#include <string>
#include <vector>

#include "test/support/check.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

constexpr uint64_t kLeast = RangeSource::kLeastAhead;
constexpr uint64_t kMost = uint64_t{1} << 20;

std::string Bytes(size_t size) {
  std::string bytes(size, '\0');
  uint32_t seed = 1;
  for (char& byte : bytes) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<char>(seed >> 24);
  }
  return bytes;
}

void Feed(RangeSource* source, const std::string& file, uint64_t from,
          uint64_t to) {
  CHECK(source->Feed(from, Data(file) + from, static_cast<size_t>(to - from)));
}

/// The wanted ranges, as "from-to from-to".
std::string Wants(const RangeSource& source) {
  ByteRange ranges[8];
  const size_t count = source.Wants(ranges, 8);
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += ' ';
    text += std::to_string(ranges[i].position) + '-' +
            std::to_string(ranges[i].position + ranges[i].size);
  }
  return text;
}

struct ReadUp {
  std::string bytes;
  ReadState state = ReadState::kBytes;
  Fault fault;
};

/// Reads until something else than bytes comes, at most `most` bytes.
ReadUp ReadOn(RangeSource* source, size_t most = SIZE_MAX) {
  ReadUp result;
  std::vector<uint8_t> part(5000);
  while (result.state == ReadState::kBytes && result.bytes.size() < most) {
    size_t got = 0;
    result.state = source->Read(
        part.data(), std::min(part.size(), most - result.bytes.size()), &got,
        &result.fault);
    if (result.state != ReadState::kBytes) break;
    CHECK(got > 0);
    result.bytes.append(reinterpret_cast<const char*>(part.data()), got);
  }
  return result;
}

TEST(RunsDryUntilItsBytesAreThere) {
  const std::string file = Bytes(300);
  RangeSource source(file.size(), 0, kMost);
  CHECK_EQ(ReadOn(&source).state, ReadState::kDry);
  CHECK_EQ(Wants(source), "0-300");
  Feed(&source, file, 0, 100);
  CHECK_EQ(Wants(source), "100-300");
  ReadUp read = ReadOn(&source);
  CHECK(read.bytes == file.substr(0, 100));
  CHECK_EQ(read.state, ReadState::kDry);
  CHECK_EQ(source.Position(), 100u);
  CHECK_EQ(source.Remaining(), 200u);
  Feed(&source, file, 100, 300);
  CHECK_EQ(Wants(source), "");
  read = ReadOn(&source);
  CHECK(read.bytes == file.substr(100));
  CHECK_EQ(read.state, ReadState::kEnd);
  CHECK_EQ(source.TotalBytes(), 300u);
}

TEST(RangesComeInAnyOrderTwiceAndOverlapping) {
  const std::string file = Bytes(200000);
  RangeSource source(file.size(), 0, kMost);
  Feed(&source, file, 150000, 200000);
  Feed(&source, file, 20, 30);
  Feed(&source, file, 10, 21);
  Feed(&source, file, 5, 60000);
  CHECK_EQ(Wants(source), "0-5 60000-65536");
  // Bytes that are held stay, so these change nothing.
  const std::string other(100, 'x');
  CHECK(source.Feed(10, Data(other), other.size()));
  CHECK_EQ(ReadOn(&source).state, ReadState::kDry);
  Feed(&source, file, 0, 5);
  CHECK(ReadOn(&source).bytes == file.substr(0, 60000));
  Feed(&source, file, 59000, 150001);
  const ReadUp read = ReadOn(&source);
  CHECK(read.bytes == file.substr(60000));
  CHECK_EQ(read.state, ReadState::kEnd);
}

TEST(EmptyRangesAndBytesBeyondTheEndChangeNothing) {
  const std::string file = Bytes(100);
  RangeSource source(60, 0, kMost);
  Feed(&source, file, 30, 30);
  Feed(&source, file, 60, 100);
  CHECK_EQ(Wants(source), "0-60");
  Feed(&source, file, 0, 100);
  const ReadUp read = ReadOn(&source);
  CHECK(read.bytes == file.substr(0, 60));
  CHECK_EQ(read.state, ReadState::kEnd);
  RangeSource empty(0, 0, kMost);
  CHECK_EQ(ReadOn(&empty).state, ReadState::kEnd);
  CHECK_EQ(Wants(empty), "");
}

TEST(TheReachGrowsWithReadingInOrderAndShrinksWithAJump) {
  const std::string file = Bytes(4 << 20);
  RangeSource source(file.size(), 0, kMost);
  CHECK_EQ(Wants(source), "0-65536");
  Feed(&source, file, 0, kLeast);
  CHECK_EQ(ReadOn(&source).bytes.size(), kLeast);
  CHECK_EQ(Wants(source), "65536-393216");
  Feed(&source, file, kLeast, kLeast + 300000);
  ReadOn(&source);
  CHECK_EQ(Wants(source), std::to_string(source.Position()) + '-' +
                              std::to_string(source.Position() + kMost));
  // Over bytes that are held, it is no jump.
  Feed(&source, file, source.Position(), source.Position() + 1000);
  CHECK_EQ(source.StepOver(1000), 1000u);
  CHECK_EQ(Wants(source), std::to_string(source.Position()) + '-' +
                              std::to_string(source.Position() + kMost));
  const uint64_t at = source.Position() + 2000000;
  CHECK_EQ(source.StepOver(2000000), 2000000u);
  CHECK_EQ(Wants(source),
           std::to_string(at) + '-' + std::to_string(at + kLeast));
  CHECK_EQ(source.StepOver(kUnknown), file.size() - at);
  CHECK_EQ(ReadOn(&source).state, ReadState::kEnd);
}

TEST(BeginsAtItsPosition) {
  const std::string file = Bytes(100000);
  RangeSource source(file.size(), 99000, kMost);
  CHECK_EQ(Wants(source), "99000-100000");
  Feed(&source, file, 90000, 100000);
  CHECK(ReadOn(&source).bytes == file.substr(99000));
  RangeSource after(file.size(), 100001, kMost);
  CHECK_EQ(ReadOn(&after).state, ReadState::kEnd);
  CHECK_EQ(after.Remaining(), 0u);
}

TEST(AnUnknownSizeIsTheEnd) {
  const std::string file = Bytes(100);
  RangeSource source(kUnknown, 0, kMost);
  CHECK_EQ(source.TotalBytes(), kUnknown);
  CHECK_EQ(source.Remaining(), kUnknown);
  CHECK_EQ(source.StepOver(10), 0u);
  Feed(&source, file, 0, 100);
  CHECK_EQ(ReadOn(&source).state, ReadState::kDry);
  CHECK_EQ(Wants(source), "100-66036");
  source.EndAt(100);
  CHECK_EQ(Wants(source), "");
  CHECK_EQ(ReadOn(&source).state, ReadState::kEnd);
  CHECK_EQ(source.TotalBytes(), 100u);
}

TEST(TheLeastEndIsTheSize) {
  const std::string file = Bytes(100);
  RangeSource source(kUnknown, 0, kMost);
  // Ranges after the end may be found empty in any order.
  source.EndAt(65536);
  source.EndAt(200000);
  CHECK_EQ(source.TotalBytes(), 65536u);
  Feed(&source, file, 0, 100);
  CHECK_EQ(ReadOn(&source).state, ReadState::kDry);
  CHECK_EQ(Wants(source), "100-65536");
  source.EndAt(100);
  CHECK_EQ(source.TotalBytes(), 100u);
  CHECK_EQ(ReadOn(&source).state, ReadState::kEnd);
}

TEST(AnEndBeforeTheSizeIsAFaultAfterAllBytes) {
  const std::string file = Bytes(100);
  for (const uint64_t size : {uint64_t{100}, kUnknown}) {
    RangeSource source(size, 0, kMost);
    Feed(&source, file, 70, 100);
    source.EndAt(80);
    source.EndAt(50);
    source.EndAt(60);
    CHECK_EQ(Wants(source), "0-50");
    Feed(&source, file, 0, 100);
    const ReadUp read = ReadOn(&source);
    CHECK(read.bytes == file.substr(0, 50));
    CHECK_EQ(read.state, ReadState::kFault);
    CHECK_EQ(read.fault.code, FaultCode::kTruncated);
    CHECK_EQ(read.fault.expected, 100u);
    CHECK_EQ(read.fault.found, 50u);
    CHECK_EQ(source.TotalBytes(), 100u);
  }
  // An end at or after the size says nothing new.
  RangeSource source(100, 0, kMost);
  source.EndAt(100);
  source.EndAt(1000);
  Feed(&source, file, 0, 100);
  CHECK_EQ(ReadOn(&source).state, ReadState::kEnd);
}

TEST(StaysDryAtARangeThatNeverComes) {
  const std::string file = Bytes(1000);
  RangeSource source(file.size(), 0, kMost);
  Feed(&source, file, 600, 1000);
  Feed(&source, file, 0, 500);
  CHECK(ReadOn(&source).bytes == file.substr(0, 500));
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(ReadOn(&source).state, ReadState::kDry);
    CHECK_EQ(Wants(source), "500-600");
  }
  // Skipped, it is not missed.
  CHECK_EQ(source.StepOver(150), 150u);
  CHECK_EQ(Wants(source), "");
  CHECK(ReadOn(&source).bytes == file.substr(650));
}

TEST(ReadsAtAnyPositionWhatItHolds) {
  const std::string file = Bytes(200000);
  RangeSource source(file.size(), 0, kMost);
  std::vector<uint8_t> into(200000);
  size_t got = 1;
  Fault fault;
  CHECK_EQ(source.ReadAt(10, into.data(), 12, &got, &fault), ReadState::kDry);
  CHECK_EQ(got, 0u);
  Feed(&source, file, 0, 100000);
  REQUIRE_EQ(source.ReadAt(10, into.data(), 99990, &got, &fault),
             ReadState::kBytes);
  CHECK_EQ(got, 99990u);
  CHECK(std::equal(into.begin(), into.begin() + 99990, Data(file) + 10));
  CHECK_EQ(source.ReadAt(10, into.data(), 99991, &got, &fault),
           ReadState::kDry);
  CHECK_EQ(got, 0u);
  CHECK_EQ(source.Position(), 0u);
  // As of a file, there is less at the end.
  Feed(&source, file, 199990, 200000);
  CHECK_EQ(source.ReadAt(199995, into.data(), 12, &got, &fault),
           ReadState::kFault);
  CHECK_EQ(got, 5u);
  CHECK_EQ(fault.code, FaultCode::kTruncated);
}

TEST(WantsFirstWhatWasAskedFor) {
  const std::string file = Bytes(8 << 20);
  RangeSource source(file.size(), 0, kMost);
  for (int i = 0; i < 2; ++i) source.Want(5000000, 12);
  CHECK_EQ(Wants(source), "5000000-5000012 0-65536");
  Feed(&source, file, 4000000, 6000000);
  CHECK_EQ(Wants(source), "0-65536");
  uint8_t into[12];
  size_t got = 0;
  Fault fault;
  CHECK_EQ(source.ReadAt(5000000, into, 12, &got, &fault), ReadState::kBytes);
  CHECK(std::equal(into, into + 12, Data(file) + 5000000));
  // The other bytes lie too far ahead.
  CHECK_EQ(source.ReadAt(4999999, into, 12, &got, &fault), ReadState::kDry);
  CHECK_EQ(source.ReadAt(5000001, into, 12, &got, &fault), ReadState::kDry);
}

TEST(StepsBackOverWhatItHolds) {
  const std::string file = Bytes(3 << 20);
  RangeSource source(file.size(), 0, kMost);
  for (uint64_t at = 0; at < file.size(); at = source.Position()) {
    Feed(&source, file, at, std::min<uint64_t>(file.size(), at + 200000));
    CHECK(ReadOn(&source).bytes == file.substr(at, 200000));
    if (at + 200000 < file.size()) {
      CHECK(source.StepBack(100000));
      CHECK_EQ(Wants(source).rfind(std::to_string(at + 200000), 0), 0u);
    }
  }
  CHECK(source.StepBack(RangeSource::kKeptBehind));
  CHECK(ReadOn(&source).bytes ==
        file.substr(file.size() - RangeSource::kKeptBehind));
  CHECK(!source.StepBack(file.size()));
  CHECK(!source.StepBack(file.size() - 1000));
  CHECK_EQ(source.Position(), file.size());
}

TEST(StepsBackOverWhatItSkipped) {
  const std::string file = Bytes(3 << 20);
  RangeSource source(file.size(), 1000, kMost);
  Feed(&source, file, 0, 2000);
  ReadOn(&source);
  CHECK_EQ(source.StepOver(2000000), 2000000u);
  CHECK(!source.StepBack(2000001));
  CHECK(source.StepBack(2000000));
  CHECK_EQ(Wants(source).rfind("2000-", 0), 0u);
  Feed(&source, file, 2000, 67536);
  CHECK(ReadOn(&source).bytes == file.substr(2000, 65536));
}

TEST(HoldsNoMoreThanItsReach) {
  const std::string file = Bytes(8 << 20);
  RangeSource source(file.size(), 0, kMost);
  // Everything at once, again and again.
  std::string read;
  while (read.size() < file.size()) {
    Feed(&source, file, 0, file.size());
    const uint64_t at = source.Position();
    const std::string part = ReadOn(&source).bytes;
    CHECK(part.size() <= kMost + 2 * RangeSource::kKeptBehind);
    CHECK(part == file.substr(static_cast<size_t>(at), part.size()));
    read += part;
  }
  CHECK(read == file);
  uint8_t byte = 0;
  size_t got = 0;
  Fault fault;
  CHECK_EQ(source.ReadAt(file.size() - 2 * RangeSource::kKeptBehind, &byte, 1,
                         &got, &fault),
           ReadState::kDry);
}

TEST(ThousandsOfShortAnswersMakeOneRange) {
  const std::string file = Bytes(70000);
  RangeSource source(file.size(), 0, kMost);
  for (uint64_t at = file.size(); at-- > 0;) {
    if (at % 2 == 0) Feed(&source, file, at, at + 1);
  }
  CHECK_EQ(ReadOn(&source).bytes.size(), 1u);
  for (uint64_t at = 1; at < file.size(); at += 2) {
    Feed(&source, file, at, at + 1);
  }
  CHECK(ReadOn(&source).bytes == file.substr(1));
}

TEST(NothingComesAfterClosing) {
  const std::string file = Bytes(1000);
  RangeSource source(file.size(), 0, kMost);
  Feed(&source, file, 0, 500);
  source.Close();
  Feed(&source, file, 500, 1000);
  source.EndAt(700);
  CHECK_EQ(Wants(source), "");
  CHECK_EQ(ReadOn(&source).state, ReadState::kEnd);
  source.Close();
}

}  // namespace
}  // namespace tfr::test
