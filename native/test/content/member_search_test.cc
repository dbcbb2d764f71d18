/// The search for the next member of ours after damage.
#include "core/content/member_search.h"

#include <string>

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

}  // namespace
}  // namespace tfr::test
