#include "core/base/memory.h"

#include <cstdint>
#include <cstdlib>
#if defined(__linux__)
#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#endif

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

TEST(AdviceNeedsNoLargePageInside) {
  // As long as a large page, but hardly ever aligned as one.
  constexpr size_t kSize = size_t{2} << 20;
  ByteBuffer buffer;
  REQUIRE(buffer.Reserve(3 * kSize));
  for (size_t i = 0; i < 3 * kSize; i += 4096) buffer.data()[i] = 3;
  for (size_t at = 0; at < kSize; at += kSize / 8 + 1) {
    ExpectWrites(buffer.data() + at, kSize);
    ExpectWrites(buffer.data() + at, kSize + kSize / 2);
  }
  size_t wrong = 0;
  for (size_t i = 0; i < 3 * kSize; i += 4096) wrong += buffer.data()[i] != 3;
  CHECK_EQ(wrong, 0u);
}

#if defined(__linux__)
/// Reads whether the kernel prefers large pages at `address`.
bool PrefersLarge(const void* address) {
  std::FILE* const maps = std::fopen("/proc/self/smaps", "re");
  if (maps == nullptr) return false;
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  bool inside = false;
  bool found = false;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    char* end = nullptr;
    const uintptr_t from = std::strtoull(line, &end, 16);
    if (*end == '-') {
      const uintptr_t to = std::strtoull(end + 1, nullptr, 16);
      inside = from <= wanted && wanted < to;
    } else if (inside && std::strncmp(line, "VmFlags:", 8) == 0) {
      found = std::strstr(line, " hg") != nullptr;
    }
  }
  std::fclose(maps);
  return found;
}

TEST(SlabsOfAFewMiBGetLargePages) {
  constexpr size_t kPage = size_t{2} << 20;
  // Kernels without large pages, emulators and sanitizers take no advice.
  ByteBuffer own;
  REQUIRE(own.Reserve(4 * kPage));
  const bool heeded = PrefersLarge(own.data() + kPage);
  constexpr size_t kSize = 3 * kPage;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  const auto address = reinterpret_cast<uintptr_t>(memory);
  uint8_t* const page =
      static_cast<uint8_t*>(memory) + (kPage - address % kPage);
  ExpectWrites(page + 1, kPage - 1);
  CHECK(!PrefersLarge(page + kPage / 2));
  ExpectWrites(page, kPage);
  CHECK_EQ(PrefersLarge(page + kPage / 2), heeded);
  CHECK(!PrefersLarge(page + kPage + 1));
  munmap(memory, kSize);
}
#endif

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
