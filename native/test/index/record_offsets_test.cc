#include "core/index/record_offsets.h"

#include <cstdint>
#include <random>
#include <vector>

#include "core/base/buffers.h"
#include "core/index/index_bytes.h"
#include "test/support/check.h"

using namespace tfr;

namespace {

/// Adds records, one after another, of lengths that `length(i)` returns.
template <class F>
std::vector<uint64_t> AddRecords(size_t count, F length,
                                 RecordOffsets* offsets) {
  std::vector<uint64_t> added;
  uint64_t offset = 0;
  for (size_t i = 0; i < count; ++i) {
    offsets->Add(offset);
    added.push_back(offset);
    offset += length(i);
  }
  return added;
}

void CheckAll(const std::vector<uint64_t>& expected,
              const RecordOffsets& offsets) {
  REQUIRE(offsets.size() == expected.size());
  size_t wrong = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    wrong += offsets.At(i) != expected[i];
  }
  CHECK_EQ(wrong, 0u);
}

}  // namespace

TEST(FindsEachRecord) {
  std::mt19937_64 random(1);
  for (const size_t count : {0u, 1u, 255u, 256u, 257u, 512u, 513u, 10000u}) {
    // Lengths of all magnitudes, and some of zero.
    RecordOffsets offsets;
    const auto added = AddRecords(
        count, [&](size_t) { return random() >> (20 + random() % 44); },
        &offsets);
    CheckAll(added, offsets);
  }
}

TEST(FindsRisingNumbersAtOnce) {
  std::mt19937_64 random(2);
  RecordOffsets offsets;
  const auto added =
      AddRecords(5000, [&](size_t) { return 16 + random() % 1000; }, &offsets);
  for (int round = 0; round < 100; ++round) {
    std::vector<uint64_t> records;
    for (uint64_t record = random() % 300; record < 5000;
         record += random() % (round + 1)) {
      records.push_back(record);
      if (records.size() > 20000) break;
    }
    std::vector<uint64_t> found(records.size());
    offsets.Find(records.data(), records.size(), found.data());
    size_t wrong = 0;
    for (size_t i = 0; i < records.size(); ++i) {
      wrong += found[i] != added[records[i]];
    }
    CHECK_EQ(wrong, 0u);
  }
}

TEST(RecordsOfOneLengthTakeAlmostNoMemory) {
  RecordOffsets offsets;
  const auto added = AddRecords(1 << 20, [](size_t) { return 116; }, &offsets);
  CheckAll(added, offsets);
  // A block of 24 bytes for 256 records, and the room of a growing vector.
  CHECK(offsets.held_bytes() <= (1 << 20) / 256 * 24 * 2);
}

TEST(SmallRecordsTakeAtMostTwoBytes) {
  std::mt19937_64 random(3);
  RecordOffsets offsets;
  // Records of up to 16 KB: nearly all need two bytes.
  AddRecords(1 << 20, [&](size_t) { return 16 + random() % 16000; }, &offsets);
  // Only the vector of blocks grows by doubling.
  CHECK(offsets.held_bytes() <=
        (2 << 20) + (256 << 10) + 2 * (1 << 20) / 256 * 24);
}

TEST(LoadsWhatItSaved) {
  std::mt19937_64 random(4);
  for (const size_t count : {0u, 1u, 2u, 256u, 257u, 512u, 513u, 3000u}) {
    RecordOffsets offsets;
    const auto added = AddRecords(
        count, [&](size_t i) { return i / 256 % 2 == 0 ? 99 : random() >> 40; },
        &offsets);
    ByteBuffer saved;
    IndexWriter writer(&saved);
    offsets.Save(&writer);
    RecordOffsets loaded;
    loaded.Add(7);
    IndexReader reader(saved.data(), saved.size());
    REQUIRE(loaded.Load(&reader, offsets.last() + 1));
    CHECK_EQ(reader.left(), 0u);
    CheckAll(added, loaded);
    CHECK_EQ(loaded.last(), offsets.last());
    // It goes on where the other one stopped.
    loaded.Add(offsets.last() + 5);
    CHECK_EQ(loaded.At(count), offsets.last() + 5);

    for (size_t size = 0; size < saved.size(); ++size) {
      IndexReader cut(saved.data(), size);
      CHECK(!loaded.Load(&cut, offsets.last() + 1));
    }
    IndexReader again(saved.data(), saved.size());
    CHECK(count == 0 || !loaded.Load(&again, offsets.last()));
  }
}

TEST(MutatedOffsetsNeverExceedTheEnd) {
  std::mt19937_64 random(5);
  RecordOffsets offsets;
  AddRecords(1000, [&](size_t) { return 16 + random() % 300; }, &offsets);
  ByteBuffer saved;
  IndexWriter writer(&saved);
  offsets.Save(&writer);
  const uint64_t end = offsets.last() + 100;
  size_t loads = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes(saved.data(), saved.data() + saved.size());
    for (int i = 0; i < 1 + round % 3; ++i) {
      bytes[random() % bytes.size()] ^= uint8_t(1 + random() % 255);
    }
    RecordOffsets loaded;
    IndexReader reader(bytes.data(), bytes.size());
    if (!loaded.Load(&reader, end) || reader.left() > 0) continue;
    ++loads;
    uint64_t last = 0;
    for (uint64_t record = 0; record < loaded.size(); ++record) {
      const uint64_t offset = loaded.At(record);
      REQUIRE(offset >= last && offset < end);
      last = offset;
    }
  }
  CHECK(loads > 0);
}

TEST(ClearedIsEmpty) {
  RecordOffsets offsets;
  AddRecords(1000, [](size_t i) { return i; }, &offsets);
  offsets.Clear();
  CHECK_EQ(offsets.size(), 0u);
  CHECK_EQ(offsets.held_bytes(), 0u);
  CheckAll(AddRecords(600, [](size_t i) { return i; }, &offsets), offsets);
}
