#include "core/index/record_index.h"

#include <memory>

#include "core/crc32c/record_format.h"
#include "test/support/check.h"

using namespace tfr;

namespace {

constexpr uint64_t kRecordBytes = 100;

/// Notes `count` records of 100 bytes, framing included, in one slab.
void NoteRecords(uint64_t first, size_t count, RecordIndex* index) {
  SlabFill fill;
  fill.first_record = first;
  fill.base = first * kRecordBytes;
  for (size_t i = 0; i < count; ++i) {
    REQUIRE(
        fill.frames.Push({static_cast<uint32_t>(i * kRecordBytes + kHeaderSize),
                          static_cast<uint32_t>(kRecordBytes - kFramingSize)}));
  }
  index->Note(fill);
}

std::shared_ptr<Checkpoint> At(uint64_t offset, size_t state_bytes) {
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->point.produced = offset;
  REQUIRE(checkpoint->state.Reserve(state_bytes));
  return checkpoint;
}

}  // namespace

TEST(FindsTheLastPlaceBefore) {
  IndexLimits limits;
  limits.place_records = 10;
  RecordIndex index(limits);
  RecordIndex::Jump jump;
  CHECK(!index.Find(0, 1, &jump));
  NoteRecords(0, 100, &index);
  NoteRecords(100, 55, &index);
  CHECK_EQ(index.records(), 155u);
  for (uint64_t record = 0; record < 155; ++record) {
    REQUIRE(index.Find(record, record + 1, &jump));
    CHECK_EQ(jump.place.record, record / 10 * 10);
    CHECK_EQ(jump.place.offset, jump.place.record * kRecordBytes);
    const uint64_t end = record < 150 ? (record / 10 + 1) * 10 : 155;
    CHECK_EQ(jump.end, end * kRecordBytes);
  }
  CHECK(!index.Find(155, 156, &jump));
}

TEST(FindsTheRecordItselfWhereAllOffsetsAreKept) {
  IndexLimits limits;
  limits.most_offset_memory = 1 << 20;
  RecordIndex index(limits);
  NoteRecords(0, 5000, &index);
  // Number 5000 was too long to be read: it begins after number 4999.
  NoteRecords(5001, 300, &index);
  RecordIndex::Jump jump;
  for (uint64_t record = 0; record < 5301; ++record) {
    REQUIRE(index.Find(record, record + 1, &jump));
    CHECK_EQ(jump.place.record, record);
    CHECK_EQ(jump.place.offset, record * kRecordBytes);
    CHECK_EQ(jump.end, (record + 1) * kRecordBytes);
  }
  CHECK(!index.Find(5301, 5302, &jump));
}

TEST(OffsetsThatTakeTooMuchMemoryAreDropped) {
  IndexLimits limits;
  limits.place_records = 10;
  limits.most_offset_memory = 100;
  RecordIndex index(limits);
  NoteRecords(0, 5000, &index);
  RecordIndex::Jump jump;
  REQUIRE(index.Find(4999, 5000, &jump));
  CHECK_EQ(jump.place.record, 4990u);
}

TEST(OffsetsAreDroppedWhereManyRecordsWereNotRead) {
  IndexLimits limits;
  limits.most_offset_memory = 1 << 20;
  RecordIndex index(limits);
  NoteRecords(0, 10, &index);
  NoteRecords(uint64_t{1} << 40, 10, &index);
  CHECK(index.held_bytes() < 4096);
  RecordIndex::Jump jump;
  REQUIRE(index.Find(5, 6, &jump));
  CHECK_EQ(jump.place.record, 0u);
}

TEST(TooManyPlacesAreThinned) {
  IndexLimits limits;
  limits.place_records = 1;
  limits.most_places = 64;
  RecordIndex index(limits);
  for (uint64_t i = 0; i < 100; ++i) NoteRecords(i * 100, 100, &index);
  CHECK(index.held_bytes() <= 64 * sizeof(StreamPlace));
  RecordIndex::Jump jump;
  for (uint64_t record = 0; record < 10000; record += 9) {
    REQUIRE(index.Find(record, record + 1, &jump));
    CHECK(jump.place.record <= record);
    CHECK(record - jump.place.record < 512);
    CHECK_EQ(jump.place.offset, jump.place.record * kRecordBytes);
    CHECK(jump.end > record * kRecordBytes);
  }
}

TEST(TooLargeCheckpointsAreThinned) {
  IndexLimits limits;
  limits.checkpoint_bytes = 1000;
  limits.most_checkpoint_memory = 100 << 10;
  RecordIndex index(limits);
  size_t added = 0;
  for (uint64_t offset = 0; offset < 1000000; offset += 100) {
    if (!index.Wants(offset, false)) continue;
    index.Add(At(offset, 1000));
    ++added;
    CHECK(index.held_bytes() <= limits.most_checkpoint_memory);
  }
  CHECK(added < 1000);
  NoteRecords(0, 10000, &index);
  RecordIndex::Jump jump;
  for (uint64_t record = 0; record < 10000; record += 7) {
    REQUIRE(index.Find(record, record + 1, &jump));
    REQUIRE(jump.from != nullptr);
    CHECK(jump.from->point.produced <= jump.place.offset);
    CHECK(jump.place.offset - jump.from->point.produced <= 64000);
  }
}

TEST(CheapCheckpointsComeTwiceAsOften) {
  IndexLimits limits;
  limits.checkpoint_bytes = 1000;
  RecordIndex index(limits);
  CHECK(index.Wants(0, true));
  index.Add(At(0, 0));
  CHECK(!index.Wants(499, true));
  CHECK(index.Wants(500, true));
  CHECK(!index.Wants(999, false));
  CHECK(index.Wants(1000, false));
}

TEST(OneCheckpointLargerThanAllMemoryIsKept) {
  IndexLimits limits;
  limits.most_checkpoint_memory = 10;
  RecordIndex index(limits);
  for (uint64_t i = 0; i < 10; ++i) index.Add(At(i << 40, 5000));
  NoteRecords(0, 1, &index);
  RecordIndex::Jump jump;
  REQUIRE(index.Find(0, 1, &jump));
  REQUIRE(jump.from != nullptr);
  CHECK_EQ(jump.from->point.produced, 0u);
}
