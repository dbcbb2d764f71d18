/// Reading goes on with the next member of ours after a damaged one: nothing
/// that is given is wrong, no member but the damaged one loses a record, and
/// all sources give the same.
#include <algorithm>
#include <string>
#include <vector>

#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

constexpr size_t kEach = 3;
constexpr size_t kMembers = 5;

/// Bytes that deflate cannot shorten, and that differ by `seed`.
std::string Noise(size_t size, uint32_t seed) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<char>(seed >> 24);
  }
  return bytes;
}

struct File {
  explicit File(size_t record_size = 200) {
    for (size_t m = 0; m < kMembers; ++m) {
      std::vector<std::string> part;
      for (size_t i = 0; i < kEach; ++i) {
        const auto number = static_cast<uint32_t>(records.size());
        std::string record = std::to_string(number) + ": ";
        // Half of it shrinks, so that copies of earlier bytes are stored, too.
        record += std::string(record_size / 2, static_cast<char>('a' + i));
        record += Noise(record_size / 2, number);
        records.push_back(record);
        part.push_back(record);
      }
      starts.push_back(bytes.size());
      contents.push_back(Framed(part));
      bytes += OurMember(contents.back(), kEach, bytes.size());
    }
    starts.push_back(bytes.size());
  }

  std::string Member(size_t m) const {
    return bytes.substr(starts[m], starts[m + 1] - starts[m]);
  }
  uint64_t ContentAt(size_t m) const {
    uint64_t at = 0;
    for (size_t i = 0; i < m; ++i) at += contents[i].size();
    return at;
  }

  std::vector<std::string> records;
  std::vector<std::string> contents;
  std::vector<size_t> starts;
  std::string bytes;
};

ReadOptions Skipping(bool counts_lost = true) {
  ReadOptions options;
  options.continues = true;
  options.counts_lost = counts_lost;
  return options;
}

/// The damaged records that are skipped singly come with the others.
std::vector<std::string> Good(const Reading& reading) {
  std::vector<std::string> good;
  for (size_t i = 0; i < reading.records.size(); ++i) {
    const auto bad = std::any_of(
        reading.faults.begin(), reading.faults.end(),
        [&](const Fault& fault) { return fault.record == reading.numbers[i]; });
    if (!bad) good.push_back(reading.records[i]);
  }
  return good;
}

bool SameFault(const Fault& a, const Fault& b) {
  return a.code == b.code && a.record == b.record && a.offset == b.offset &&
         a.compressed_offset == b.compressed_offset;
}

bool SameLoss(const Fault& a, const Fault& b) {
  return SameFault(a, b) && a.lost == b.lost && a.resume_at == b.resume_at;
}

/// All faults for which reading stopped.
std::vector<Fault> Stops(const Reading& reading) {
  std::vector<Fault> stops = reading.skipped;
  if (reading.halt) stops.push_back(reading.halt);
  return stops;
}

/// Reads `file` in all ways, which must agree, and checks that every record
/// that is given is one of the file's, in its order.
Reading ReadOn(const std::string& file, const File& whole) {
  const Reading reading = Read(file, 1 << 20, 4096, Skipping(), true);
  const std::vector<Fault> stops = Stops(reading);
  const auto same = [&](const Reading& other, auto same_fault) {
    const std::vector<Fault> others = Stops(other);
    return other.records == reading.records &&
           other.numbers == reading.numbers &&
           std::equal(stops.begin(), stops.end(), others.begin(), others.end(),
                      same_fault);
  };
  for (const Reading& other :
       {Read(file, 7, 4096, Skipping(), true),
        Read(file, 1000, 64, Skipping(), true),
        ReadPositioned(file, 4096, Skipping(), true),
        ReadPositioned(file, 1 << 20, Skipping(), true)}) {
    CHECK(same(other, SameLoss));
    CHECK_EQ(other.outcome, reading.outcome);
  }
  // Without counting, it shows only later that no member follows.
  CHECK(same(Read(file, 333, 4096, Skipping(false), true), SameFault));
  size_t next = 0;
  for (const std::string& record : Good(reading)) {
    const auto at =
        std::find(whole.records.begin() + next, whole.records.end(), record);
    if (!CHECK(at != whole.records.end())) break;
    next = at - whole.records.begin() + 1;
  }
  return reading;
}

/// True if every record of the members other than `damaged` is there.
bool HasOthers(const Reading& reading, const File& whole,
               const std::vector<size_t>& damaged) {
  const std::vector<std::string> good = Good(reading);
  for (size_t m = 0; m < kMembers; ++m) {
    if (std::find(damaged.begin(), damaged.end(), m) != damaged.end()) continue;
    for (size_t i = 0; i < kEach; ++i) {
      if (std::find(good.begin(), good.end(), whole.records[m * kEach + i]) ==
          good.end()) {
        std::fprintf(stderr, "record %zu of member %zu is missing\n", i, m);
        return false;
      }
    }
  }
  return true;
}

/// True if the numbers of the records after member `m` are right.
bool NumbersAreRight(const Reading& reading, const File& whole, size_t m) {
  for (size_t i = 0; i < reading.records.size(); ++i) {
    const auto at = std::find(whole.records.begin(), whole.records.end(),
                              reading.records[i]);
    if (at == whole.records.end()) continue;
    const auto number =
        static_cast<size_t>(std::distance(whole.records.begin(), at));
    if (number < (m + 1) * kEach) continue;
    if (reading.numbers[i] != number) return false;
    // And the offset of its data.
    uint64_t offset = kHeaderSize;
    for (size_t r = 0; r < number; ++r) {
      offset += whole.records[r].size() + kFramingSize;
    }
    if (reading.offsets[i] != offset) return false;
  }
  return true;
}

TEST(EveryFlippedByteLosesOneMemberAtMost) {
  const File file;
  for (CodecChoice codecs : {CodecChoice{true, true}, {false, false}}) {
    ChooseCodecs(codecs);
    for (size_t m : {size_t{0}, size_t{1}, kMembers - 1}) {
      for (size_t at = file.starts[m]; at < file.starts[m + 1];
           at += LoopStep()) {
        std::string damaged = file.bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
        const Reading reading = ReadOn(damaged, file);
        if (!HasOthers(reading, file, {m})) {
          std::fprintf(stderr, "byte %zu of member %zu\n", at - file.starts[m],
                       m);
          CHECK(false);
        }
        // The header says how many records the member has.
        const size_t in_member = at - file.starts[m];
        if (in_member < 16 || in_member >= 28) {
          if (!CHECK(NumbersAreRight(reading, file, m))) {
            std::fprintf(stderr, "byte %zu of member %zu\n", in_member, m);
          }
        }
      }
    }
  }
  ChooseCodecs({true, true});
}

TEST(TwoDamagedMembersLoseNoOthers) {
  const File file;
  for (size_t first = 0; first < kMembers; ++first) {
    for (size_t second = first; second < kMembers; ++second) {
      for (size_t at : {2, 3, 10, 30, 150, 250}) {
        std::string damaged = file.bytes;
        damaged[file.starts[first] + at] ^= 0x40;
        damaged[file.starts[second] + at + 5] ^= 0x21;
        if (!CHECK(HasOthers(ReadOn(damaged, file), file, {first, second}))) {
          std::fprintf(stderr, "byte %zu of members %zu and %zu\n", at, first,
                       second);
        }
      }
    }
  }
}

TEST(WrongTrailersLoseNothing) {
  const File file;
  for (size_t m = 0; m < kMembers; ++m) {
    for (size_t back = 1; back <= 8; ++back) {
      std::string damaged = file.bytes;
      damaged[file.starts[m + 1] - back] ^= 1;
      const Reading reading = ReadOn(damaged, file);
      CHECK(reading.records == file.records);
      CHECK(NumbersAreRight(reading, file, 0));
      if (m + 1 == kMembers) continue;
      REQUIRE_EQ(reading.skipped.size(), 1u);
      CHECK_EQ(reading.skipped[0].code, FaultCode::kCompression);
      CHECK_EQ(reading.skipped[0].lost, 0u);
      CHECK_EQ(reading.skipped[0].resume_at, file.starts[m + 1]);
    }
  }
}

TEST(LostBytesEndAtTheNextMember) {
  const File file;
  std::string damaged = file.bytes;
  for (size_t i = 0; i < 12; ++i) damaged[file.starts[2] + 28 + i] = '\xff';
  const Reading reading = ReadOn(damaged, file);
  REQUIRE_EQ(reading.skipped.size(), 1u);
  const Fault& fault = reading.skipped[0];
  CHECK_EQ(fault.record, 2 * kEach);
  CHECK_EQ(fault.offset, file.ContentAt(2));
  CHECK_EQ(fault.resume_at, file.starts[3]);
  CHECK_EQ(fault.lost, file.starts[3] - fault.compressed_offset);
  CHECK_EQ(reading.outcome, FillOutcome::kEnd);
  CHECK(NumbersAreRight(reading, file, 2));
}

TEST(ZeroedCutInsertedAndJoinedBytes) {
  // Longer than what deflate stores, so that a search believes the others.
  const File file(70'000);
  const std::string& bytes = file.bytes;
  for (size_t m : {size_t{1}, size_t{2}}) {
    const size_t from = file.starts[m];
    const size_t size = file.starts[m + 1] - from;
    const auto without = [&](size_t at, size_t count) {
      return bytes.substr(0, at) + bytes.substr(at + count);
    };
    std::string zeroed = bytes;
    std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(from), size, '\0');
    CHECK(HasOthers(ReadOn(zeroed, file), file, {m}));
    std::string head = bytes;
    std::fill_n(head.begin() + static_cast<std::ptrdiff_t>(from), 512, '\0');
    CHECK(HasOthers(ReadOn(head, file), file, {m}));
    // A cut from the middle, from the head, and over two members.
    CHECK(HasOthers(ReadOn(without(from + size / 2, 700), file), file, {m}));
    CHECK(HasOthers(ReadOn(without(from, 40), file), file, {m}));
    CHECK(HasOthers(ReadOn(without(from + size - 600, 1000), file), file,
                    {m, m + 1}));
    // Bytes that do not belong there.
    const std::string garbage = Noise(900, 7);
    CHECK(HasOthers(
        ReadOn(bytes.substr(0, from) + garbage + bytes.substr(from), file),
        file, {}));
    CHECK(HasOthers(
        ReadOn(bytes.substr(0, from + 99) + garbage + bytes.substr(from + 99),
               file),
        file, {m}));
    // A member that is missing, and one that comes twice, are right files.
    CHECK_EQ(ReadOn(without(from, size), file).outcome, FillOutcome::kEnd);
    const Reading twice =
        Read(bytes.substr(0, from) + file.Member(m) + bytes.substr(from), 999,
             4096, Skipping(), true);
    CHECK_EQ(twice.records.size(), file.records.size() + kEach);
  }
}

TEST(EveryCutLosesTheLastMemberOnly) {
  const File file;
  for (size_t keep = file.starts[1]; keep < file.bytes.size();
       keep += 13 * LoopStep()) {
    const Reading reading = ReadOn(file.bytes.substr(0, keep), file);
    size_t whole = 0;
    while (file.starts[whole + 1] <= keep) ++whole;
    CHECK(Good(reading).size() >= whole * kEach);
    if (file.starts[whole] == keep) continue;
    CHECK_EQ(reading.outcome, FillOutcome::kHalt);
    CHECK_EQ(reading.halt.code, FaultCode::kTruncated);
  }
}

TEST(BrokenLengthsGoOnWithTheNextMember) {
  const File file;
  for (size_t m = 0; m < kMembers; ++m) {
    for (size_t record = 0; record < kEach; ++record) {
      std::string content = file.contents[m];
      size_t at = 0;
      for (size_t i = 0; i < record; ++i) {
        at += file.records[m * kEach + i].size() + kFramingSize;
      }
      content[at + 1] ^= 1;
      std::string damaged;
      for (size_t i = 0; i < kMembers; ++i) {
        damaged += i == m ? OurMember(content, kEach, damaged.size())
                          : OurMember(file.contents[i], kEach, damaged.size());
      }
      const Reading reading = ReadOn(damaged, file);
      CHECK(HasOthers(reading, file, {m}));
      CHECK(NumbersAreRight(reading, file, m));
      const Fault& fault =
          m + 1 < kMembers ? reading.skipped.at(0) : reading.halt;
      CHECK_EQ(fault.code, FaultCode::kCorruptLength);
      CHECK_EQ(fault.record, m * kEach + record);
      CHECK_EQ(fault.lost, content.size() - at);
    }
  }
}

TEST(LengthThatReachesOverTheNextMembersLosesItsOwnOnly) {
  const File file;
  std::string content = file.contents[1];
  content.replace(0, kHeaderSize, Header(1 << 20));
  std::string damaged;
  for (size_t i = 0; i < kMembers; ++i) {
    damaged +=
        OurMember(i == 1 ? content : file.contents[i], kEach, damaged.size());
  }
  const Reading reading = ReadOn(damaged, file);
  CHECK(HasOthers(reading, file, {1}));
  REQUIRE_EQ(reading.skipped.size(), 1u);
  CHECK_EQ(reading.skipped[0].code, FaultCode::kTruncated);
  CHECK_EQ(reading.skipped[0].lost, content.size());
}

TEST(FilesWithinARecordAreNotGivenAsRecords) {
  // Level 0 stores the record verbatim.
  const File inner(300);
  const auto deflater = NewBlockDeflater(0);
  const std::vector<std::string> holder = {
      "before", Noise(500, 3) + inner.bytes + Noise(500, 4), "after"};
  const auto stored = [&](const std::string& content, size_t offset) {
    GzipMember member;
    REQUIRE(!member.Deflate(deflater.get(), Data(content), content.size(),
                            kEach, CancelToken()));
    const GzipMember::Bytes bytes = member.Finish(offset);
    return std::string(reinterpret_cast<const char*>(bytes.data), bytes.size);
  };
  File file;
  file.records.clear();
  file.contents = {Framed({"first", "", "third"}), Framed(holder),
                   Framed({"seventh", "eighth", "ninth"})};
  file.bytes.clear();
  file.starts.clear();
  for (const std::string& content : file.contents) {
    file.starts.push_back(file.bytes.size());
    file.bytes += stored(content, file.bytes.size());
  }
  REQUIRE(file.bytes.find(inner.Member(0)) != std::string::npos);
  file.records = {"first",   "",        "third",  holder[0], holder[1],
                  holder[2], "seventh", "eighth", "ninth"};
  for (size_t at = 0; at < 64; ++at) {
    std::string damaged = file.bytes;
    damaged[file.starts[1] + at] ^= 0x55;
    const Reading reading = ReadOn(damaged, file);
    CHECK(std::find(reading.records.begin(), reading.records.end(), "ninth") !=
          reading.records.end());
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(file.starts[1]),
                at + 1, '\0');
    ReadOn(damaged, file);
  }
}

TEST(MembersThatBeginWithinARecordAreNotBelieved) {
  const File file;
  std::string all;
  for (const std::string& content : file.contents) all += content;
  for (size_t cut : {100, 400, 1000}) {
    std::string damaged;
    std::vector<size_t> starts;
    for (size_t at = 0; at < all.size(); at += cut) {
      starts.push_back(damaged.size());
      damaged += OurMember(all.substr(at, cut), 1, damaged.size());
    }
    CHECK(Read(damaged, 500).records == file.records);
    for (Verify verify : {Verify::kAll, Verify::kLength, Verify::kNone}) {
      ReadOptions options = Skipping();
      options.verify = verify;
      damaged[starts[1] + 40] ^= 0x7f;
      for (const Reading& reading :
           {Read(damaged, 500, 4096, options, true),
            ReadPositioned(damaged, 4096, options, true)}) {
        if (verify != Verify::kAll) continue;
        for (const std::string& record : Good(reading)) {
          CHECK(std::find(file.records.begin(), file.records.end(), record) !=
                file.records.end());
        }
      }
      damaged[starts[1] + 40] ^= 0x7f;
    }
  }
}

TEST(ForeignMembersAreGivenUpAsBefore) {
  const File file;
  std::string foreign;
  std::vector<size_t> starts;
  for (const std::string& content : file.contents) {
    starts.push_back(foreign.size());
    foreign += Gzip(content);
  }
  for (size_t at = starts[1]; at < starts[2]; at += LoopStep()) {
    std::string damaged = foreign;
    damaged[at] ^= 1;
    const Reading reading = ReadOn(damaged, file);
    CHECK(reading.skipped.empty());
    if (reading.outcome != FillOutcome::kHalt) continue;
    if (reading.halt.code == FaultCode::kCorruptLength) continue;
    const uint64_t from = reading.halt.trailer_end != kUnknown
                              ? reading.halt.trailer_end
                              : reading.halt.compressed_offset;
    CHECK(reading.halt.lost >= foreign.size() - from);
  }
}

TEST(NothingIsSoughtWithoutSkipping) {
  const File file;
  std::string damaged = file.bytes;
  damaged[file.starts[1] + 60] ^= 0x7f;
  const Reading reading = Read(damaged, 500, 4096, {}, true);
  CHECK(reading.skipped.empty());
  CHECK_EQ(reading.outcome, FillOutcome::kHalt);
}

}  // namespace
}  // namespace tfr::test
