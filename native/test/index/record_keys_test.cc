#include "core/index/record_keys.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/buffers.h"
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

std::string Saved(const RecordKeys& keys) {
  ByteBuffer saved;
  IndexWriter writer(&saved);
  keys.Save(&writer);
  return std::string(reinterpret_cast<const char*>(saved.data()), saved.size());
}

bool Load(const std::string& saved, uint64_t records, RecordKeys* keys) {
  // A copy of the exact size: sanitizers see reads past it.
  const std::vector<char> bytes(saved.begin(), saved.end());
  IndexReader reader(reinterpret_cast<const uint8_t*>(bytes.data()),
                     bytes.size());
  return keys->Load(&reader, records) && reader.left() == 0;
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
  REQUIRE(Load(Saved(keys), 5000, &loaded));
  CHECK_EQ(loaded.feature(), std::string("name"));
  for (RecordKeys* const each : {&keys, &loaded}) {
    CHECK_EQ(each->size(), 5000u);
    for (const auto& [key, records] : expected) {
      CHECK(Find(each, key) == records);
    }
    CHECK(Find(each, "key 1700").empty());
    CHECK(Find(each, "").empty());
  }
  CHECK(Saved(loaded) == Saved(keys));
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
  const std::string saved = Saved(keys);
  RecordKeys loaded;
  for (size_t size = 0; size < saved.size(); ++size) {
    CHECK(!Load(saved.substr(0, size), 9, &loaded));
  }
  CHECK(!Load(saved + '\0', 9, &loaded));
  // A record that is not there.
  CHECK(!Load(saved, 8, &loaded));
  // Not in rising order.
  std::string swapped = saved;
  const size_t first = saved.size() - 9 * 8;
  swapped.replace(first, 8, saved.substr(first + 8, 8));
  swapped.replace(first + 8, 8, saved.substr(first, 8));
  CHECK(!Load(swapped, 9, &loaded));
  // No feature.
  std::string nameless = saved;
  nameless.erase(1, 1);
  nameless[0] = 0;
  CHECK(!Load(nameless, 9, &loaded));
  CHECK(Load(saved, 9, &loaded));
}
