#include "core/index/record_keys.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/buffers.h"
#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/index/index_bytes.h"
#include "test/support/check.h"

using namespace tfr;

namespace {

const uint8_t* Bytes(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

bool Add(RecordKeys* keys, uint64_t record, const std::string& key) {
  return keys->Add(record, Bytes(key), key.size());
}

std::vector<uint64_t> Find(RecordKeys* keys, const std::string& key) {
  return keys->Find(Bytes(key), key.size());
}

constexpr size_t kHead = 12;
constexpr size_t kChecksum = 4;

/// The payload of the saved section.
std::string Saved(RecordKeys* keys) {
  std::string saved;
  ByteBuffer part;
  uint32_t sum = 0;
  for (size_t i = 0; keys->SavePart(i, sum, &part); ++i) {
    sum = crc32c::Extend(sum, part.data(), part.size());
    saved.append(reinterpret_cast<const char*>(part.data()), part.size());
  }
  const uint8_t* const bytes = Bytes(saved);
  const size_t end = saved.size() - kChecksum;
  CHECK_EQ(saved.substr(0, 4), std::string("keys"));
  CHECK_EQ(LoadLE64(bytes + 4), end - kHead);
  CHECK_EQ(LoadLE32(bytes + end), IndexChecksum(bytes, bytes + end));
  return saved.substr(kHead, end - kHead);
}

/// Loads pieces of `piece` bytes.
bool Load(const std::string& saved, uint64_t records, RecordKeys* keys,
          size_t piece = SIZE_MAX) {
  RecordKeys::Loader loader(keys);
  for (size_t at = 0; at < saved.size();) {
    // A copy of the exact size: sanitizers see reads past it.
    const std::string some = saved.substr(at, piece);
    const std::vector<char> bytes(some.begin(), some.end());
    loader.Take(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    at += bytes.size();
  }
  return loader.Finish(records);
}

bool Loads(const std::string& saved, uint64_t records) {
  RecordKeys keys;
  return Load(saved, records, &keys);
}

}  // namespace

TEST(FindsTheRecordsOfEachKeyBeforeAndAfterSaving) {
  RecordKeys keys;
  keys.SetFeature("name");
  std::map<std::string, std::vector<uint64_t>> expected;
  for (uint64_t record = 0; record < 5000; ++record) {
    const std::string key = "key " + std::to_string(record % 1700);
    CHECK(Add(&keys, record, key));
    // The same value again in one record counts once.
    CHECK(Add(&keys, record, key));
    expected[key].push_back(record);
  }
  RecordKeys loaded;
  REQUIRE(Load(Saved(&keys), 5000, &loaded));
  CHECK_EQ(loaded.feature(), std::string("name"));
  for (RecordKeys* const each : {&keys, &loaded}) {
    CHECK_EQ(each->size(), 5000u);
    for (const auto& [key, records] : expected) {
      CHECK(Find(each, key) == records);
    }
    CHECK(Find(each, "key 1700").empty());
    CHECK(Find(each, "").empty());
  }
  CHECK(Saved(&loaded) == Saved(&keys));
}

TEST(RefusesRecordsBeyond32Bits) {
  RecordKeys keys;
  CHECK(Add(&keys, UINT32_MAX, "a"));
  CHECK(!Add(&keys, uint64_t{UINT32_MAX} + 1, "a"));
}

TEST(RefusesSavedKeysThatAreNotWhole) {
  RecordKeys keys;
  keys.SetFeature("f");
  for (uint64_t record = 0; record < 9; ++record) {
    CHECK(Add(&keys, record, std::to_string(record)));
  }
  const std::string saved = Saved(&keys);
  for (size_t size = 0; size < saved.size(); ++size) {
    CHECK(!Loads(saved.substr(0, size), 9));
  }
  CHECK(!Loads(saved + '\0', 9));
  // A record that is not there.
  CHECK(!Loads(saved, 8));
  // Not in rising order.
  std::string swapped = saved;
  const size_t first = saved.size() - 9 * 8;
  swapped.replace(first, 8, saved.substr(first + 8, 8));
  swapped.replace(first + 8, 8, saved.substr(first, 8));
  CHECK(!Loads(swapped, 9));
  // No feature.
  std::string nameless = saved;
  nameless.erase(1, 1);
  nameless[0] = 0;
  CHECK(!Loads(nameless, 9));
  CHECK(Loads(saved, 9));
}

TEST(MillionsOfKeysTakeLittleMemory) {
  // Runs of the greatest size, and a smaller one.
  constexpr uint64_t kRecords = 3 * SortedKeys::kHeld + 12345;
  constexpr size_t kMemory = size_t{13} << 20;
  RecordKeys keys;
  keys.SetFeature("name");
  for (uint64_t record = 0; record < kRecords; ++record) {
    REQUIRE(Add(&keys, record, std::to_string(record / 2)));
    if (record % 1000 == 0) REQUIRE(Add(&keys, record, "often"));
    CHECK(keys.held_bytes() <= kMemory);
  }
  const size_t count = kRecords + (kRecords + 999) / 1000;
  CHECK_EQ(keys.size(), count);
  const std::string saved = Saved(&keys);
  CHECK_EQ(saved.size(), 5 + 3 + 8 * count);
  RecordKeys loaded;
  REQUIRE(Load(saved, kRecords, &loaded, 1000003));
  CHECK(!Loads(saved, kRecords - 1));
  CHECK(Saved(&loaded) == saved);
  for (RecordKeys* const each : {&keys, &loaded}) {
    CHECK(each->held_bytes() <= kMemory);
    for (uint64_t pair = 0; pair < kRecords / 2; pair += 997) {
      const auto found = Find(each, std::to_string(pair));
      CHECK(std::binary_search(found.begin(), found.end(), 2 * pair));
      CHECK(std::binary_search(found.begin(), found.end(), 2 * pair + 1));
    }
    const auto often = Find(each, "often");
    CHECK(often.size() >= (kRecords + 999) / 1000);
    CHECK(std::is_sorted(often.begin(), often.end()));
    CHECK(Find(each, "never").size() <= 1);
  }
  // Keys that come later join the others.
  CHECK(Add(&keys, 7, "later"));
  CHECK(Find(&keys, "later") == std::vector<uint64_t>{7});
  CHECK_EQ(keys.size(), count + 1);
}

TEST(LoadsPiecesOfAnySize) {
  RecordKeys keys;
  keys.SetFeature("a long name of a feature");
  for (uint64_t record = 0; record < 50; ++record) {
    CHECK(Add(&keys, record, std::to_string(record)));
  }
  const std::string saved = Saved(&keys);
  for (size_t piece = 1; piece < 40; ++piece) {
    RecordKeys loaded;
    REQUIRE(Load(saved, 50, &loaded, piece));
    CHECK(Saved(&loaded) == saved);
  }
}
