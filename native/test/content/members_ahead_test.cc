/// Inflating members in parallel gives the same as reading in order, for valid
/// files and for damage in every part.
#include "core/content/ahead/members_ahead.h"

#include <string>
#include <vector>

#include "core/content/content_stream.h"
#include "core/io/range_source.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

const std::vector<std::string> kParts = {
    Framed({"zero", std::string(300, 'a'), ""}),
    Framed(std::vector<std::string>{"three", "four"}),
    Framed(std::string(9000, 'b')),
    Framed(std::vector<std::string>{"six", "seven"}),
};

std::string Joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

std::string OurFile(const std::vector<std::string>& parts) {
  std::string file;
  for (const std::string& part : parts) file += OurMember(part, 2, file.size());
  return file;
}

bool SamePlace(const Fault& a, const Fault& b) {
  return a.code == b.code && std::string(a.part) == b.part &&
         std::string(a.detail) == b.detail && a.expected == b.expected &&
         a.found == b.found && a.record == b.record && a.offset == b.offset &&
         a.compressed_offset == b.compressed_offset;
}

/// Reads both ways with both slab sizes; true if all results are equal.
bool SameBothWays(const std::string& file, const ReadOptions& options = {},
                  bool skip = false) {
  for (size_t slab : {512, 1 << 16}) {
    const Reading fed = Read(file, 1 << 20, slab, options, skip);
    const Reading at = ReadPositioned(file, slab, options, skip);
    bool same = fed.records == at.records && fed.outcome == at.outcome &&
                SamePlace(fed.halt, at.halt) &&
                fed.faults.size() == at.faults.size();
    for (size_t i = 0; same && i < fed.faults.size(); ++i) {
      same = SamePlace(fed.faults[i], at.faults[i]);
    }
    if (same && fed.outcome == FillOutcome::kEnd) {
      same = fed.compressed_bytes == file.size() &&
             at.compressed_bytes == file.size();
    }
    if (!same) return false;
  }
  return true;
}

void Store64(std::string* file, size_t at, uint64_t value) {
  StoreLE64(reinterpret_cast<uint8_t*>(file->data()) + at, value);
}

void Store32(std::string* file, size_t at, uint32_t value) {
  StoreLE32(reinterpret_cast<uint8_t*>(file->data()) + at, value);
}

TEST(OurMembersAreInflatedAhead) {
  const std::string file = OurFile(kParts);
  PositionedSource::Counts counts;
  const Reading reading = ReadPositioned(file, 4096, {}, false, &counts);
  CHECK(Framed(reading.records) == Joined(kParts));
  CHECK_EQ(reading.outcome, FillOutcome::kEnd);
  // Read in order: the bytes needed to detect the compression.
  CHECK_EQ(counts.in_order, std::min<size_t>(file.size(), 512));
  CHECK(counts.at >= file.size());
  CHECK(SameBothWays(file));
}

TEST(ManyMembersComeInOrder) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < 300; ++i) {
    const std::string record = "record " + std::to_string(i);
    parts.push_back(Framed({record, std::string(i * 7, 'x'), record}));
  }
  const std::string file = OurFile(parts);
  PositionedSource::Counts counts;
  const Reading reading = ReadPositioned(file, 1000, {}, false, &counts);
  CHECK(Framed(reading.records) == Joined(parts));
  CHECK_EQ(counts.in_order, 512u);
  CHECK(SameBothWays(file));
}

TEST(MembersOfRangesAreInflatedOnceTheyAreThere) {
  const std::string file = OurFile(kParts);
  const size_t first = OurMember(kParts[0], 2).size();
  RangeSource source(file.size(), 0, size_t{1} << 20);
  AheadLimits limits;
  limits.least_content = 1;
  MembersAhead ahead(&source, limits);
  MembersAhead::Member member;
  CHECK(!ahead.Next(0, &member));
  // The header is there, the rest is not.
  REQUIRE(source.Feed(0, Data(file), first - 1));
  CHECK(!ahead.Next(0, &member));
  REQUIRE(source.Feed(first - 1, Data(file) + first - 1, 10));
  REQUIRE(ahead.Next(0, &member));
  CHECK(std::string(reinterpret_cast<const char*>(member.content),
                    member.content_size) == kParts[0]);
  CHECK_EQ(member.size, first);
  ahead.Release();
  CHECK(!ahead.Next(first, &member));
  REQUIRE(source.Feed(0, Data(file), file.size()));
  uint64_t position = first;
  for (size_t i = 1; i < kParts.size(); ++i) {
    REQUIRE(ahead.Next(position, &member));
    CHECK(std::string(reinterpret_cast<const char*>(member.content),
                      member.content_size) == kParts[i]);
    position += member.size;
    ahead.Release();
  }
  CHECK_EQ(position, file.size());
}

TEST(RecordsMayCrossMembers) {
  const std::string plain = Joined(kParts);
  for (size_t cut : {3, 14, 200, 5000}) {
    CHECK(SameBothWays(OurFile({plain.substr(0, cut), plain.substr(cut)})));
  }
}

/// libdeflate inflates some code sets that igzip and zlib refuse. Its output is
/// used only if size and checksum are right.
bool OnlyInOrderRefuses(const std::string& file) {
  const Reading at = ReadPositioned(file);
  const Reading fed = Read(file);
  return AvailableCodecs().libdeflate && at.outcome == FillOutcome::kEnd &&
         Framed(at.records) == Joined(kParts) &&
         fed.halt.code == FaultCode::kCompression &&
         std::string(fed.halt.part) == "deflate data";
}

TEST(EveryDamagedByteGivesTheSameAsInOrder) {
  const std::string file = OurFile(kParts);
  const size_t first = OurMember(kParts[0], 2).size();
  for (CodecChoice codecs : {CodecChoice{true, true}, {false, false}}) {
    ChooseCodecs(codecs);
    for (size_t at = 0; at < file.size(); ++at) {
      // The first member and the second header cover all kinds of damage; later
      // bytes are only sampled.
      const std::vector<int> flips = at < first + 40
                                         ? std::vector<int>{1, 2, 8, 0x80, 0xff}
                                         : std::vector<int>{4};
      for (int flip : flips) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        CHECK(SameBothWays(damaged) || OnlyInOrderRefuses(damaged));
      }
    }
    ChooseCodecs({true, true});
  }
  CHECK(file.size() > 3 * 40);
}

TEST(EveryCutGivesTheSameAsInOrder) {
  const std::string file = OurFile(kParts);
  for (size_t keep = 0; keep < file.size(); ++keep) {
    CHECK(SameBothWays(file.substr(0, keep)));
  }
}

TEST(FalseSizesGiveTheSameAsInOrder) {
  const std::string file = OurFile(kParts);
  const size_t first = OurMember(kParts[0], 2).size();
  const size_t second = OurMember(kParts[1], 2).size();
  for (size_t member : {size_t{0}, first, first + second}) {
    const uint64_t size = LoadLE64(Data(file) + member + 16);
    for (uint64_t claim :
         {uint64_t{0}, uint64_t{1}, uint64_t{28}, uint64_t{36}, uint64_t{37},
          size - 1, size + 1, size + second, size + 8, file.size() - member,
          file.size() - member + 1, uint64_t{1} << 32, uint64_t{1} << 63,
          ~uint64_t{0}, ~uint64_t{0} - member}) {
      std::string damaged = file;
      Store64(&damaged, member + 16, claim);
      // The content is intact, so the wrong number has no effect.
      CHECK(Framed(ReadPositioned(damaged).records) == Joined(kParts));
      CHECK(SameBothWays(damaged));
    }
    for (uint32_t records : {0u, 1u, 1000u, ~0u}) {
      std::string damaged = file;
      Store32(&damaged, member + 24, records);
      CHECK(Framed(ReadPositioned(damaged).records) == Joined(kParts));
      CHECK(SameBothWays(damaged));
    }
    for (uint32_t isize : {0u, 1u, 1u << 20, 4u << 20, 0x7fffffffu, ~0u}) {
      std::string damaged = file;
      Store32(&damaged, member + size - 4, isize);
      CHECK_EQ(ReadPositioned(damaged).halt.code, FaultCode::kCompression);
      CHECK(SameBothWays(damaged));
    }
  }
}

TEST(OtherBytesBetweenOurMembers) {
  const std::string a = OurMember(kParts[0], 3);
  const std::string b = OurMember(kParts[1], 2);
  const std::string c = OurMember(kParts[3], 2);
  for (const std::string& between :
       {std::string("\0", 1), std::string(8, '\0'), std::string("garbage"),
        std::string("\x1f\x8b"), std::string("\x1f\x8b\x08"), Gzip(kParts[2]),
        Gzip(""), OurMember("", 0), a.substr(0, 20), b.substr(4)}) {
    CHECK(SameBothWays(a + between));
    CHECK(SameBothWays(between + a));
    CHECK(SameBothWays(a + between + b + c));
    CHECK(SameBothWays(a + b + between + c));
  }
}

TEST(DamagedRecordsInValidMembers) {
  ReadOptions strict;
  strict.max_record_bytes = 299;
  ReadOptions lengths;
  lengths.verify = Verify::kLength;
  ReadOptions none;
  none.verify = Verify::kNone;
  const std::string plain = Joined(kParts);
  for (size_t at = 0; at < plain.size(); at += at < 600 ? 1 : 97) {
    std::string damaged = plain;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const std::string file =
        OurFile({damaged.substr(0, 380), damaged.substr(380, 200),
                 damaged.substr(580)});
    CHECK(SameBothWays(file));
    CHECK(SameBothWays(file, strict, true));
    CHECK(SameBothWays(file, lengths));
    CHECK(SameBothWays(file, none));
  }
  for (size_t keep = 0; keep < plain.size(); keep += 13) {
    CHECK(SameBothWays(OurFile({plain.substr(0, keep)})));
  }
}

/// The contents that `Next` returns for a file, from `position` on.
std::vector<std::string> Contents(const std::string& file, AheadLimits limits,
                                  uint64_t position = 0) {
  PositionedSource source(file);
  MembersAhead ahead(&source, limits);
  std::vector<std::string> contents;
  MembersAhead::Member member;
  while (ahead.Next(position, &member)) {
    contents.emplace_back(reinterpret_cast<const char*>(member.content),
                          member.content_size);
    position += member.size;
    ahead.Release();
  }
  return contents;
}

TEST(MembersThatAreShortOrLongAreLeftToTheCaller) {
  const std::string file = OurFile(kParts);
  CHECK(Contents(file, {1, 10000}) == kParts);
  CHECK(Contents(file, {1, 9000}) ==
        std::vector<std::string>(kParts.begin(), kParts.begin() + 2));
  CHECK(Contents(file, {}).empty());
  CHECK(Contents(file, {100, 10000}) ==
        std::vector<std::string>(kParts.begin(), kParts.begin() + 1));
}

TEST(MembersAfterALongOneAreInflatedAhead) {
  PositionedSource source(OurFile(kParts));
  MembersAhead ahead(&source, {1, 9000});
  MembersAhead::Member member;
  uint64_t position = 0;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(ahead.Next(position, &member));
    position += member.size;
    ahead.Release();
  }
  CHECK(!ahead.Next(position, &member));
  position += OurMember(kParts[2], 1, position).size();
  REQUIRE(ahead.Next(position, &member));
  CHECK_EQ(member.content_size, kParts[3].size());
}

TEST(UnusedMembersAreDropped) {
  const std::string part(1 << 20, 'x');
  const std::string file = OurFile({part, part, part, part, part});
  for (int i = 0; i < 20; ++i) {
    PositionedSource source(file);
    MembersAhead ahead(&source, {});
    MembersAhead::Member member;
    REQUIRE(ahead.Next(0, &member));
    const size_t size = member.size;
    ahead.Release();
    // Other members are in progress when it is destroyed.
    CHECK(ahead.Next(size, &member));
  }
}

TEST(TemporarilyShortFilesGiveNoMemberTwice) {
  // Longer than the bytes needed to detect the compression.
  std::string noise;
  for (uint32_t i = 1; i < 40000; ++i) {
    noise.push_back(static_cast<char>(i * i * 2654435761U >> 24));
  }
  const std::vector<std::string> parts = {Framed(noise), Framed(noise + "b")};
  bool shortened = false;
  ContentStream content(
      std::make_unique<PositionedSource>(OurFile(parts), nullptr, &shortened),
      Compression::kAuto, {1, 1 << 20});
  std::string read;
  std::string piece(1000, '\0');
  for (;;) {
    size_t got = 0;
    Fault fault;
    const ReadState state = content.Read(
        reinterpret_cast<uint8_t*>(piece.data()), piece.size(), &got, &fault);
    if (state != ReadState::kBytes) {
      CHECK(state == ReadState::kEnd);
      break;
    }
    read.append(piece, 0, got);
    REQUIRE(read.size() <= Joined(parts).size());
    // Shortens the file while the end of the first member is read.
    shortened = read.size() < parts[0].size() &&
                read.size() + piece.size() >= parts[0].size();
  }
  CHECK(read == Joined(parts));
}

}  // namespace
}  // namespace tfr::test
