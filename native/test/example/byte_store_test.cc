#include "core/example/parse/byte_store.h"

#include <string>
#include <vector>

#include "test/example/example_runs.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

Span SpanOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

/// Refers to values of at least 5 bytes in `memory`.
struct Store {
  std::string memory = "short-long value-abc-another long one-x";
  ByteStore bytes;

  Store() { bytes.ReferTo(SpanOf(memory), 5); }

  void Append(size_t at, size_t size) {
    const Span all = SpanOf(memory);
    REQUIRE(bytes.Append({all.data + at, size}, all.end()));
  }
};

TEST(PutsReferredAndCopiedValuesTogether) {
  Store store;
  store.Append(17, 3);
  store.Append(6, 10);
  store.Append(21, 16);
  store.Append(0, 4);
  CHECK(store.bytes.refers());
  CHECK_EQ(TextOf(store.bytes), "abclong valueanother long oneshor");
  // Shows that the values were referred to, not copied.
  store.memory[6] = 'L';
  CHECK_EQ(TextOf(store.bytes), "abcLong valueanother long oneshor");
}

TEST(CopiesValuesInOtherMemory) {
  Store store;
  const std::string other(100, 'o');
  REQUIRE(store.bytes.Append(SpanOf(other), SpanOf(other).end()));
  CHECK(!store.bytes.refers());
  CHECK_EQ(TextOf(store.bytes), other);
}

TEST(TruncatesToWholeValues) {
  Store store;
  store.Append(17, 3);
  store.Append(6, 10);
  store.Append(0, 4);
  store.Append(21, 16);
  store.bytes.Truncate(17);
  CHECK_EQ(TextOf(store.bytes), "abclong valueshor");
  store.bytes.Truncate(13);
  CHECK_EQ(TextOf(store.bytes), "abclong value");
  store.bytes.Truncate(3);
  CHECK(!store.bytes.refers());
  store.Append(0, 3);
  CHECK_EQ(TextOf(store.bytes), "abcsho");
  store.bytes.Truncate(0);
  CHECK_EQ(store.bytes.size(), 0u);
}

TEST(CopiesWholeValuesOutOfTheMiddle) {
  Store store;
  const std::vector<size_t> ends = {0, 3, 13, 15, 31, 31, 35};
  store.Append(17, 3);
  store.Append(6, 10);
  store.Append(21, 2);
  store.Append(21, 16);
  store.Append(0, 0);
  store.Append(0, 4);
  const std::string all = TextOf(store.bytes);
  CHECK_EQ(all, "abclong valueananother long oneshor");
  for (const size_t begin : ends) {
    for (const size_t end : ends) {
      if (begin > end) continue;
      std::vector<uint8_t> copy(end - begin);
      store.bytes.CopyTo(copy.data(), begin, end);
      CHECK_EQ(std::string(copy.begin(), copy.end()),
               all.substr(begin, end - begin));
    }
  }
}

TEST(RefersToNothingAfterItWasEmptied) {
  Store store;
  store.Append(6, 10);
  store.bytes.Clear(1 << 20);
  CHECK_EQ(store.bytes.size(), 0u);
  store.Append(6, 10);
  CHECK(!store.bytes.refers());
  CHECK_EQ(TextOf(store.bytes), "long value");
}

}  // namespace
}  // namespace tfr::test
