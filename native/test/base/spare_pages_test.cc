#include "core/base/spare_pages.h"

#include <array>
#include <cstdint>

#include "test/support/check.h"

namespace tfr::test {
namespace {

using Pages = SparePages::Pages;
using Gone = std::array<Pages, SparePages::kMost>;

/// A fake page address; never dereferenced.
void* At(uintptr_t number) { return reinterpret_cast<void*>(number * 4096); }

TEST(ReturnsTheExactSizeNewestFirst) {
  SparePages spare;
  Gone gone;
  CHECK(spare.Take(4096) == nullptr);
  CHECK_EQ(spare.Keep({At(1), 4096}, &gone), 0u);
  CHECK_EQ(spare.Keep({At(2), 8192}, &gone), 0u);
  CHECK_EQ(spare.Keep({At(3), 4096}, &gone), 0u);
  CHECK(spare.Take(4097) == nullptr);
  CHECK(spare.Take(4096) == At(3));
  CHECK(spare.Take(4096) == At(1));
  CHECK(spare.Take(4096) == nullptr);
  CHECK(spare.Take(8192) == At(2));
}

TEST(EvictsTheOldestAboveTheByteLimit) {
  SparePages spare;
  Gone gone;
  constexpr size_t kThird = SparePages::kMostBytes / 3;
  for (uintptr_t i = 1; i <= 3; ++i) {
    CHECK_EQ(spare.Keep({At(i), kThird}, &gone), 0u);
  }
  REQUIRE(spare.Keep({At(4), kThird + 4096}, &gone) == 2);
  CHECK(gone[0].data == At(1));
  CHECK_EQ(gone[0].size, kThird);
  CHECK(gone[1].data == At(2));
  CHECK(spare.Take(kThird) == At(3));
  CHECK(spare.Take(kThird + 4096) == At(4));
}

TEST(EvictsTheOldestAboveTheCountLimit) {
  SparePages spare;
  Gone gone;
  for (uintptr_t i = 1; i <= SparePages::kMost; ++i) {
    CHECK_EQ(spare.Keep({At(i), i}, &gone), 0u);
  }
  REQUIRE(spare.Keep({At(99), 99}, &gone) == 1);
  CHECK(gone[0].data == At(1));
  CHECK(spare.Take(1) == nullptr);
  CHECK(spare.Take(2) == At(2));
}

TEST(KeepsNothingAboveTheByteLimit) {
  SparePages spare;
  Gone gone;
  REQUIRE(spare.Keep({At(1), 4096}, &gone) == 0);
  REQUIRE(spare.Keep({At(2), SparePages::kMostBytes + 1}, &gone) == 1);
  CHECK(gone[0].data == At(2));
  CHECK(spare.Take(4096) == At(1));
}

}  // namespace
}  // namespace tfr::test
