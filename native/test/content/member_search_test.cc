/// The search for the next member of ours after damage.
#include "core/content/recovery/member_search.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/cancel.h"
#include "core/base/endian.h"
#include "core/compression/gzip_member.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

constexpr size_t kNowhere = ~size_t{0};

std::string Noise(size_t size) {
  std::string bytes(size, '\0');
  uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

/// A member of ours of about `size` bytes.
std::string Member(size_t size) { return OurMember(Framed(Noise(size)), 1); }

/// Returns where a member is found, or `kNowhere`. Shows the search `data` in
/// steps of `step` bytes: the outcome must not depend on them.
size_t Found(const std::string& data, size_t expected = kNowhere) {
  size_t found = kNowhere;
  for (size_t step : {data.size(), size_t{1000}, size_t{77}}) {
    size_t at = 0;
    bool is = false;
    for (size_t size = 0; !is && size < data.size();) {
      size = std::min(data.size(), size + step);
      is = FindMember(Data(data), size, size == data.size(), expected, &at);
    }
    const size_t here = is ? at : kNowhere;
    if (step == data.size()) found = here;
    CHECK_EQ(here, found);
  }
  return found;
}

TEST(MembersUpToTheEndAreFound) {
  const std::string garbage = Noise(5000);
  CHECK_EQ(Found(Member(10)), 0u);
  CHECK_EQ(Found(garbage + Member(10)), garbage.size());
  CHECK_EQ(Found(garbage + Member(10) + Member(50)), garbage.size());
  CHECK_EQ(Found(garbage), kNowhere);
  CHECK_EQ(Found(std::string(100, '\x1f')), kNowhere);
}

TEST(ChainMustBeLongerThanDeflateStoresVerbatim) {
  const std::string garbage = Noise(5000);
  const std::string long_one = Member(70'000);
  REQUIRE(long_one.size() > kMostVerbatim);
  const std::string tail = Noise(300);
  // A chain that ends in bytes of something else.
  CHECK_EQ(Found(garbage + Member(10) + Member(10) + tail), kNowhere);
  CHECK_EQ(Found(garbage + Member(60'000) + tail), kNowhere);
  CHECK_EQ(Found(garbage + long_one + tail), kNowhere);
  CHECK_EQ(Found(garbage + long_one + Member(10) + tail), garbage.size());
  std::string short_ones;
  for (int i = 0; i < 80; ++i) short_ones += Member(1000);
  CHECK_EQ(Found(garbage + short_ones + tail), garbage.size());
  CHECK_EQ(Found(garbage + short_ones.substr(0, 60'000) + tail), kNowhere);
}

TEST(MemberAtTheEndOfTheDamagedOneNeedsNoChain) {
  const std::string garbage = Noise(5000);
  const std::string file = garbage + Member(10) + Noise(100);
  CHECK_EQ(Found(file), kNowhere);
  CHECK_EQ(Found(file, garbage.size()), garbage.size());
  CHECK_EQ(Found(file, garbage.size() + 1), kNowhere);
}

TEST(SizesThatLieBreakTheChain) {
  const std::string garbage = Noise(500);
  for (uint64_t size : {uint64_t{0}, uint64_t{36}, uint64_t{1000},
                        uint64_t{kLongestFound} + 1, ~uint64_t{0}}) {
    std::string liar = Member(100);
    StoreLE64(reinterpret_cast<uint8_t*>(liar.data()) + 16, size);
    CHECK_EQ(Found(garbage + liar), kNowhere);
    CHECK_EQ(Found(garbage + liar + Member(10)), garbage.size() + liar.size());
  }
}

TEST(CutMembersAreNotFound) {
  const std::string file = Noise(100) + Member(500);
  for (size_t cut = 1; cut < 300; cut += 7) {
    CHECK_EQ(Found(file.substr(0, file.size() - cut)), kNowhere);
  }
}

TEST(HeadsWithTwoWrongBytesAreNearlyGzipMembers) {
  const std::string head = Member(10).substr(0, 12);
  CHECK(IsNearlyGzipMember(Data(head), head.size()));
  CHECK(!IsNearlyGzipMember(Data(head), 11));
  std::string wrong = head;
  wrong[0] ^= 1;
  CHECK(IsNearlyGzipMember(Data(wrong), wrong.size()));
  wrong[3] ^= 1;
  CHECK(IsNearlyGzipMember(Data(wrong), wrong.size()));
  wrong[9] ^= 1;
  CHECK(!IsNearlyGzipMember(Data(wrong), wrong.size()));
  for (const std::string& other :
       {Gzip("foreign"), Framed("a record"), std::string(12, '\0'),
        Framed(std::string(0x1004, 'x'))}) {
    CHECK(!IsNearlyGzipMember(Data(other), other.size()));
  }
}

/// The result of a whole search.
struct Searched {
  uint64_t skipped = 0;
  std::optional<NextMember> next;
  ReadState state = ReadState::kBytes;
  /// The bytes at the index where a member was found.
  std::string bytes;
  Fault fault;
};

/// Searches `file` after its member from `start` on inflated up to `used`, in
/// a buffer that has `kept` the member's start or not.
Searched Search(const std::string& file, size_t start, size_t used, bool kept,
                const DamagedMember& damaged = {}) {
  PositionedSource source(file);
  source.StepOver(start);
  RawInput raw(&source);
  Searched searched;
  CHECK_EQ(raw.ReadHead(used - start, &searched.fault), ReadState::kBytes);
  if (kept) raw.Keep();
  raw.Use(used - start);
  DamagedMember known = damaged;
  known.used = used;
  if (known.lost_from == 0) known.lost_from = used;
  MemberSearch search(&raw, known);
  while (searched.state == ReadState::kBytes) {
    CHECK_EQ(search.found(), nullptr);
    searched.state = search.Step(&searched.skipped, &searched.fault);
  }
  if (search.found() == nullptr) {
    CHECK_EQ(search.read(), file.size());
    return searched;
  }
  searched.next = *search.found();
  searched.bytes.assign(
      reinterpret_cast<const char*>(raw.data()) + search.index(), 3);
  return searched;
}

/// Sets the sizes that a member's header states.
void SetSizes(std::string* member, uint64_t size, uint32_t records) {
  auto* const bytes = reinterpret_cast<uint8_t*>(member->data());
  StoreLE64(bytes + 16, size);
  StoreLE32(bytes + 24, records);
}

TEST(SearchFindsTheMemberAfterTheDamagedOne) {
  const std::string lost = Member(3000);
  const std::string file = Member(50) + lost + Member(700) + Member(10);
  const size_t start = Member(50).size();
  const uint64_t end = start + lost.size();
  DamagedMember damaged;
  damaged.content = 1000;
  for (const bool kept : {true, false}) {
    for (const size_t used : {size_t{1}, size_t{40}, size_t{2000}}) {
      const Searched searched =
          Search(file, start, start + used, kept, damaged);
      REQUIRE(searched.next.has_value());
      CHECK_EQ(searched.next->position, end);
      CHECK_EQ(searched.skipped, lost.size() - used);
      CHECK_EQ(searched.bytes, file.substr(end, 3));
      CHECK_EQ(searched.next->before.offset, 1000u);
      // The header of the damaged member is known only if it was kept.
      CHECK_EQ(searched.next->before.records, kept ? 1u : kUnknown);
      CHECK_EQ(searched.next->before.position, kept ? start : kUnknown);
      CHECK_EQ(searched.next->offset,
               kept ? 1000u + 3000 + kFramingSize : 1000u);
    }
  }
}

TEST(SearchCountsLostBytesFromTheFault) {
  const std::string lost = Member(3000);
  const std::string file = lost + Member(10);
  DamagedMember damaged;
  damaged.lost_from = 100;
  const Searched searched = Search(file, 0, 500, true, damaged);
  REQUIRE(searched.next.has_value());
  CHECK_EQ(searched.skipped, lost.size() - 100);
  // Data that seemed to reach into the next member: all of its own is lost.
  damaged.lost_from = lost.size() + 20;
  const Searched reaching = Search(file, 0, lost.size() + 30, true, damaged);
  REQUIRE(reaching.next.has_value());
  CHECK_EQ(reaching.next->position, lost.size());
  CHECK_EQ(reaching.skipped, lost.size());
}

TEST(SearchKnowsTheContentWhereOnlyItsSizeIsWrong) {
  std::string lost = Member(3000);
  lost[lost.size() - 1] = '\x7f';
  const std::string file = lost + Member(10);
  DamagedMember damaged;
  damaged.content = 70;
  const Searched unknown = Search(file, 0, 500, true, damaged);
  REQUIRE(unknown.next.has_value());
  // More than deflate can make of such a member: not believed.
  CHECK_EQ(unknown.next->offset, 70u);
  damaged.content_end = 5000;
  CHECK_EQ(Search(file, 0, 500, true, damaged).next->offset, 5000u);
}

TEST(SearchIgnoresWrongSizesOfALostMember) {
  for (const uint64_t size : {uint64_t{0}, uint64_t{100}, ~uint64_t{0}}) {
    std::string lost = Member(3000);
    SetSizes(&lost, size, 77);
    const std::string file = lost + Member(10);
    const Searched searched = Search(file, 0, 40, true);
    REQUIRE(searched.next.has_value());
    CHECK_EQ(searched.next->position, lost.size());
    CHECK_EQ(searched.next->before.records, kUnknown);
    CHECK_EQ(searched.next->offset, 0u);
  }
}

TEST(SearchEndsWithTheSource) {
  const std::string lost = Member(3000) + Noise(300'000);
  for (const bool kept : {true, false}) {
    const Searched searched = Search(lost, 0, 200, kept);
    CHECK(!searched.next.has_value());
    CHECK_EQ(searched.state, ReadState::kEnd);
    CHECK_EQ(searched.skipped, lost.size() - 200);
    // Bytes that count as content do not count again.
    DamagedMember damaged;
    damaged.lost_from = 50;
    damaged.counted_from = 150;
    CHECK_EQ(Search(lost, 0, 200, kept, damaged).skipped, lost.size() - 150);
  }
}

TEST(SearchHoldsLittleOfALongLostMember) {
  const std::string lost = Member(3000) + Noise(size_t{20} << 20);
  const std::string file = lost + Member(10);
  PositionedSource source(file);
  RawInput raw(&source);
  Fault fault;
  CHECK_EQ(raw.ReadHead(100, &fault), ReadState::kBytes);
  raw.Use(100);
  DamagedMember damaged;
  damaged.used = damaged.lost_from = 100;
  MemberSearch search(&raw, damaged);
  uint64_t skipped = 0;
  while (search.Step(&skipped, &fault) == ReadState::kBytes) {
    CHECK(raw.size() <= kLongestFound + kMostVerbatim + 2 * kPollBytes);
  }
  REQUIRE(search.found() != nullptr);
  CHECK_EQ(search.found()->position, lost.size());
}

}  // namespace
}  // namespace tfr::test
