#include "core/base/memory.h"

#include <cstdint>

#include "core/base/buffers.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

/// Sizes around the one from which memory is a page mapping.
constexpr size_t kSizes[] = {1, 100, 4096, 131071, 131072, 131073, 400000};

TEST(KeepsItsContentAsItGrows) {
  for (const size_t first : kSizes) {
    ByteBuffer buffer;
    REQUIRE(buffer.Reserve(first));
    for (size_t i = 0; i < first; ++i) {
      buffer.data()[i] = static_cast<uint8_t>(i * 7);
    }
    for (const size_t next : kSizes) {
      REQUIRE(buffer.Reserve(next));
      REQUIRE(buffer.capacity() >= next);
      size_t wrong = 0;
      for (size_t i = 0; i < first; ++i) {
        wrong += buffer.data()[i] != static_cast<uint8_t>(i * 7);
      }
      CHECK_EQ(wrong, 0u);
      // The whole capacity is writable.
      buffer.data()[buffer.capacity() - 1] =
          buffer.capacity() == first ? buffer.data()[first - 1] : 1;
    }
    buffer.Free();
    CHECK_EQ(buffer.capacity(), 0u);
    CHECK(buffer.Reserve(first));
  }
}

TEST(GrowsFarBeyondLargePages) {
  ByteBuffer buffer;
  size_t filled = 0;
  for (size_t size = 100000; size < 50000000; size += size / 2 + 1) {
    REQUIRE(buffer.Reserve(size));
    buffer.data()[filled] = 5;
    buffer.data()[size - 1] = 9;
    filled = size - 1;
    CHECK_EQ(buffer.data()[0], 5);
  }
  size_t nines = 0;
  for (size_t size = 100000; size < 50000000; size += size / 2 + 1) {
    nines += buffer.data()[size - 1] == 9;
  }
  // Each size overwrote the last byte of the previous one, so only the last
  // nine is left.
  CHECK_EQ(nines, 1u);
}

TEST(AdviceLeavesContentAlone) {
  ByteBuffer buffer;
  constexpr size_t kSize = 9000001;
  REQUIRE(buffer.Reserve(kSize));
  for (size_t i = 0; i < kSize; i += 1000) buffer.data()[i] = 3;
  ExpectWrites(buffer.data() + 1, kSize - 1);
  ExpectWrites(buffer.data(), 0);
  size_t wrong = 0;
  for (size_t i = 0; i < kSize; i += 1000) wrong += buffer.data()[i] != 3;
  CHECK_EQ(wrong, 0u);
}

TEST(ReportsOutOfMemory) {
  for (const size_t size : {size_t{64}, size_t{200000}}) {
    ByteBuffer buffer;
    REQUIRE(buffer.Reserve(size));
    buffer.data()[size - 1] = 7;
    CHECK(!buffer.Reserve(~size_t{0} >> 2));
    CHECK_EQ(buffer.capacity(), size);
    CHECK_EQ(buffer.data()[size - 1], 7);
  }
}

}  // namespace
}  // namespace tfr::test
