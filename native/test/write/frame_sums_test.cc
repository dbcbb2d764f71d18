#include "core/write/frame_sums.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/crc32c/record_format.h"
#include "test/support/check.h"

namespace tfr {
namespace {

/// A record as JavaScript lays it out, with garbage in place of the CRCs.
std::vector<uint8_t> Unsummed(const std::string& payload) {
  std::vector<uint8_t> frame(payload.size() + kFramingSize, 0xee);
  StoreLE64(frame.data(), payload.size());
  std::memcpy(frame.data() + kHeaderSize, payload.data(), payload.size());
  return frame;
}

std::string Hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

/// Bytes written by TensorFlow.
TEST(FramesAreTensorFlows) {
  const struct {
    const char* payload;
    const char* frame;
  } cases[] = {
      {"", "000000000000000029039807d8ea82a2"},
      {"a", "01000000000000000175de4161786ee428"},
      {"foo", "0300000000000000b099490e666f6f618abefe"},
      {"defgh", "0500000000000000eab2043e64656667688055627d"},
      {"123456789", "090000000000000037f97139313233343536373839e5b08ac7"},
  };
  const CancelToken cancel;
  std::vector<uint8_t> all;
  std::string expected;
  for (const auto& c : cases) {
    std::vector<uint8_t> frame = Unsummed(c.payload);
    all.insert(all.end(), frame.begin(), frame.end());
    expected += c.frame;
    CHECK(!FillFrameSums(frame.data(), frame.size(), cancel));
    CHECK_EQ(Hex(frame), std::string(c.frame));
  }
  CHECK(!FillFrameSums(all.data(), all.size(), cancel));
  CHECK_EQ(Hex(all), expected);
}

TEST(TheSumOfFramesIsThatOfTheirBytes) {
  const CancelToken cancel;
  std::vector<uint8_t> all;
  uint32_t random = 7;
  for (int i = 0; i < 60; ++i) {
    random = random * 1664525 + 1013904223;
    const size_t size = (random >> 8) % (i % 3 == 0 ? 200000 : 300);
    std::string payload(size, static_cast<char>(i));
    if (size > 3) payload[size / 2] = static_cast<char>(random >> 24);
    const std::vector<uint8_t> frame = Unsummed(payload);
    all.insert(all.end(), frame.begin(), frame.end());
    CHECK(!FillFrameSums(all.data(), all.size(), cancel));
    for (const uint32_t before : {0u, 0x12345678u}) {
      CHECK_EQ(ExtendOverFrames(before, all.data(), all.size()),
               crc32c::Extend(before, all.data(), all.size()));
    }
  }
  CHECK_EQ(ExtendOverFrames(5, nullptr, 0), uint32_t{5});
}

/// Bytes that are cut, or are no frame, are read as they are.
TEST(TheSumOfOtherBytesTouchesNothingElse) {
  const CancelToken cancel;
  std::vector<uint8_t> bytes = Unsummed(std::string(50000, 'x'));
  CHECK(!FillFrameSums(bytes.data(), bytes.size(), cancel));
  for (const size_t size : {size_t{1}, size_t{15}, size_t{16}, size_t{50015}}) {
    const std::vector<uint8_t> cut(
        bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
    CHECK_EQ(ExtendOverFrames(0, cut.data(), size),
             crc32c::Extend(0, cut.data(), size));
  }
  const std::vector<uint8_t> ones(100, 0xff);
  CHECK_EQ(ExtendOverFrames(0, ones.data(), ones.size()),
           crc32c::Extend(0, ones.data(), ones.size()));
}

TEST(LongRecordIsChecksummedInSteps) {
  for (const size_t size : {262143, 262144, 262145, 1000003}) {
    std::string payload(size, 0);
    for (size_t i = 0; i < size; ++i) payload[i] = static_cast<char>(i * 7);
    std::vector<uint8_t> frame = Unsummed(payload);
    CHECK(!FillFrameSums(frame.data(), frame.size(), CancelToken()));
    CHECK(LengthIsRight(frame.data()));
    const uint32_t crc = crc32c::Extend(
        0, reinterpret_cast<const uint8_t*>(payload.data()), size);
    CHECK_EQ(LoadLE32(frame.data() + kHeaderSize + size), crc32c::Mask(crc));
  }
}

/// Nothing outside of the data is touched, whatever the lengths (sanitizers
/// check).
TEST(LengthsThatDoNotAddUpAreRefused) {
  const CancelToken cancel;
  for (const uint64_t length :
       {uint64_t{4}, uint64_t{1} << 32, ~uint64_t{0}, ~uint64_t{15}}) {
    std::vector<uint8_t> frame = Unsummed("foo");
    StoreLE64(frame.data(), length);
    CHECK_EQ(FillFrameSums(frame.data(), frame.size(), cancel).system_error,
             EINVAL);
  }
  for (size_t cut = 1; cut < kFramingSize + 3; ++cut) {
    std::vector<uint8_t> frame = Unsummed("foo");
    frame.resize(cut);
    CHECK_EQ(FillFrameSums(frame.data(), cut, cancel).system_error, EINVAL);
  }
}

TEST(CancelledWorkEnds) {
  CancelToken cancel;
  cancel.Cancel();
  std::vector<uint8_t> frame = Unsummed(std::string(1 << 20, 'x'));
  CHECK_EQ(FillFrameSums(frame.data(), frame.size(), cancel).system_error,
           ECANCELED);
}

}  // namespace
}  // namespace tfr
