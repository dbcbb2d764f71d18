// CRC-32 and Adler-32 of every implementation, compared with zlib's.

#include <zlib.h>

#include "core/compression/checksum.h"
#include "core/compression/zlib_format.h"
#include "core/deflate/registry.h"
#include "test/deflate/codec_samples.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

template <typename Body>
void ForEveryChoice(Body body) {
  for (bool isal : {true, false}) {
    for (bool libdeflate : {true, false}) {
      ChooseCodecs({isal, libdeflate});
      body();
    }
  }
  ChooseCodecs({});
}

TEST(KnownAnswers) {
  const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  ForEveryChoice([&] {
    CHECK_EQ(Crc32(0, digits, 9), 0xcbf43926u);
    CHECK_EQ(Adler32(1, digits, 9), 0x091e01deu);
    CHECK_EQ(Crc32(0, nullptr, 0), 0u);
    CHECK_EQ(Adler32(1, nullptr, 0), 1u);
    CHECK_EQ(Crc32(0x12345678, nullptr, 0), 0x12345678u);
  });
}

TEST(EverySizeAndAlignmentAsZlib) {
  const Bytes data = Noise(2000);
  ForEveryChoice([&] {
    for (size_t size = 0; size < 600; ++size) {
      for (size_t start = 0; start < 33; ++start) {
        const uint8_t* from = data.data() + start;
        CHECK_EQ(Crc32(7, from, size), crc32(7, from, static_cast<uInt>(size)));
        CHECK_EQ(Adler32(7, from, size),
                 adler32(7, from, static_cast<uInt>(size)));
      }
    }
  });
}

TEST(EverySplitGivesTheSameChecksum) {
  // All 0xff is Adler-32's worst case.
  for (const Bytes& data : {Noise(1000), Bytes(70000, 0xff)}) {
    const uint32_t crc = static_cast<uint32_t>(
        crc32(0, data.data(), static_cast<uInt>(data.size())));
    const uint32_t adler = static_cast<uint32_t>(
        adler32(1, data.data(), static_cast<uInt>(data.size())));
    ForEveryChoice([&] {
      for (size_t split = 0; split <= data.size(); split += data.size() / 500) {
        const uint8_t* middle = data.data() + split;
        const size_t rest = data.size() - split;
        CHECK_EQ(Crc32(Crc32(0, data.data(), split), middle, rest), crc);
        CHECK_EQ(Adler32(Adler32(1, data.data(), split), middle, rest), adler);
      }
    });
  }
}

TEST(ZlibEndsAsZlibWritesThem) {
  const Bytes data = Mixture(1000);
  for (int level = 0; level <= 9; ++level) {
    Bytes whole(2000);
    uLongf size = whole.size();
    REQUIRE(compress2(whole.data(), &size, data.data(), data.size(), level) ==
            Z_OK);
    uint8_t header[kZlibHeaderSize];
    StoreZlibHeader(header, level);
    CHECK_EQ(header[0], whole[0]);
    CHECK_EQ(header[1], whole[1]);
    uint8_t trailer[kZlibTrailerSize];
    StoreZlibTrailer(trailer, Adler32(1, data.data(), data.size()));
    for (size_t i = 0; i < kZlibTrailerSize; ++i) {
      CHECK_EQ(trailer[i], whole[size - kZlibTrailerSize + i]);
    }
  }
}

}  // namespace
}  // namespace tfr::test
