#include "core/index/index_file.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "core/base/buffers.h"
#include "core/index/index_bytes.h"
#include "core/index/index_loader.h"
#include "core/index/record_index.h"

namespace tfr {
namespace {

constexpr uint32_t kNeededSections = 4;
constexpr uint8_t kBetweenMembers = 1;
/// Maximum number of bytes to which deflate expands one byte.
constexpr uint64_t kMaxExpansion = 1032;
/// A checkpoint's state is deflated, which never makes it much longer.
constexpr size_t kMostState = kStateHead + kMostWindow;
constexpr size_t kMostDeflated = kMostState + 1024;

bool ReadFile(IndexReader reader, IndexedFile* file) {
  uint64_t time;
  if (!reader.Number(&file->size) || !reader.U32(&file->head_crc) ||
      !reader.U32(&file->tail_crc) || !reader.U64(&time)) {
    return false;
  }
  file->time = static_cast<int64_t>(time);
  return reader.left() == 0;
}

}  // namespace

bool RecordIndex::Save(const IndexSummary& summary, ByteBuffer* to,
                       bool with_keys) const {
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    IndexWriter writer(to);
    writer.Bytes(kIndexMagic, kIndexMagicSize);
    writer.U32(kIndexVersion);
    writer.U32(kNeededSections + (HasOffsets() ? 1 : 0) +
               (keys_.feature().empty() ? 0 : 1));
    writer.U32(IndexChecksum(to->data(), to->data() + to->size()));

    writer.BeginSection(kIndexSections[0]);
    writer.U64(summary.file.size);
    writer.U32(summary.file.head_crc);
    writer.U32(summary.file.tail_crc);
    writer.U64(static_cast<uint64_t>(summary.file.time));
    writer.EndSection();

    writer.BeginSection(kIndexSections[1]);
    writer.U8(static_cast<uint8_t>(summary.compression));
    writer.U8(static_cast<uint8_t>(summary.verified));
    writer.U8(summary.cut ? 1 : 0);
    writer.U64(known_.record);
    writer.U64(known_.offset);
    writer.U64(summary.stored);
    writer.U64(summary.damaged);
    writer.U64(limits_.place_bytes);
    writer.U64(limits_.place_records);
    writer.U64(limits_.checkpoint_bytes);
    writer.EndSection();

    writer.BeginSection(kIndexSections[2]);
    writer.Varint(places_.size());
    StreamPlace last{0, 0};
    for (const StreamPlace& place : places_) {
      writer.Varint(place.record - last.record);
      writer.Varint(place.offset - last.offset);
      last = place;
    }
    writer.EndSection();

    writer.BeginSection(kIndexSections[3]);
    ContainerInflater::Point before;
    const auto portable = [](const std::shared_ptr<const Checkpoint>& each) {
      return each->portable;
    };
    writer.Varint(static_cast<uint64_t>(
        std::count_if(checkpoints_.begin(), checkpoints_.end(), portable)));
    for (const auto& checkpoint : checkpoints_) {
      if (!portable(checkpoint)) continue;
      const ContainerInflater::Point& point = checkpoint->point;
      writer.U8(point.between_members ? kBetweenMembers : 0);
      writer.Varint(point.produced - before.produced);
      writer.Varint(point.consumed - before.consumed);
      before = point;
      if (point.between_members) continue;
      writer.Varint(point.consumed - point.member_start);
      writer.Varint(point.produced - point.proven);
      writer.U32(point.checksum);
      writer.Varint(checkpoint->state_size);
      writer.Varint(checkpoint->state.size());
      writer.Bytes(checkpoint->state.data(), checkpoint->state.size());
    }
    writer.EndSection();

    if (HasOffsets()) {
      writer.BeginSection(kIndexSections[4]);
      offsets_.Save(&writer);
      writer.EndSection();
    }
    if (with_keys && !keys_.feature().empty()) {
      ByteBuffer part;
      uint32_t sum = 0;
      for (size_t i = 0; keys_.SavePart(i, sum, &part); ++i) {
        sum = crc32c::Extend(sum, part.data(), part.size());
        writer.Bytes(part.data(), part.size());
      }
    }
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

namespace {

/// The distances that `limits` of an index has reached, and its end.
bool ReadRecords(IndexReader reader, IndexSummary* summary, StreamPlace* known,
                 IndexLimits* limits) {
  uint8_t compression;
  uint8_t verified;
  uint8_t cut;
  if (!reader.U8(&compression) || !reader.U8(&verified) || !reader.U8(&cut) ||
      !reader.Number(&known->record) || !reader.Number(&known->offset) ||
      !reader.Number(&summary->stored) || !reader.Number(&summary->damaged) ||
      !reader.Number(&limits->place_bytes) ||
      !reader.Number(&limits->place_records) ||
      !reader.Number(&limits->checkpoint_bytes)) {
    return false;
  }
  // Before they become enums, which must have no other values.
  if (compression > static_cast<uint8_t>(Compression::kZlib) ||
      verified > static_cast<uint8_t>(Verify::kNone) || cut > 1) {
    return false;
  }
  summary->compression = static_cast<Compression>(compression);
  summary->verified = static_cast<Verify>(verified);
  summary->cut = cut != 0;
  return reader.left() == 0 && limits->place_bytes > 0 &&
         limits->place_records > 0 && limits->checkpoint_bytes > 0;
}

/// Reads the next checkpoint, which lies in a file of `size` bytes after
/// `before`.
bool ReadPoint(IndexReader* reader, uint64_t size,
               const ContainerInflater::Point& before, Checkpoint* checkpoint) {
  ContainerInflater::Point& point = checkpoint->point;
  uint8_t flags;
  point.produced = before.produced;
  point.consumed = before.consumed;
  if (!reader->U8(&flags) || flags > kBetweenMembers ||
      !reader->Step(&point.produced) || !reader->Step(&point.consumed) ||
      point.consumed > size) {
    return false;
  }
  point.proven = point.produced;
  point.member_start = point.consumed;
  point.between_members = flags == kBetweenMembers;
  if (point.between_members) return true;
  uint64_t in_member;
  uint64_t inflated;
  uint64_t state_size;
  uint64_t deflated;
  if (!reader->Varint(&in_member) || in_member > point.consumed ||
      !reader->Varint(&inflated) || inflated > point.produced ||
      !reader->U32(&point.checksum) || !reader->Varint(&state_size) ||
      state_size < kStateHead || state_size > kMostState ||
      !reader->Varint(&deflated) || deflated > kMostDeflated) {
    return false;
  }
  point.member_start -= in_member;
  point.proven -= inflated;
  checkpoint->state_size = static_cast<size_t>(state_size);
  const uint8_t* const state = reader->at();
  if (!reader->Skip(static_cast<size_t>(deflated))) return false;
  if (!checkpoint->state.Assign(state, static_cast<size_t>(deflated))) {
    throw std::bad_alloc();
  }
  return true;
}

}  // namespace

IndexStatus RecordIndex::Load(const uint8_t* file, size_t size,
                              IndexSummary* summary) {
  try {
    IndexLoader loader(this, size);
    loader.Take(file, size);
    return loader.Finish(summary);
  } catch (const std::bad_alloc&) {
    return IndexStatus::kNoMemory;
  }
}

bool RecordIndex::LoadSections(IndexSection* sections, RecordKeys::Loader* keys,
                               IndexSummary* summary) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto reader = [&](size_t section) {
    const ByteBuffer& payload = sections[section].payload;
    return IndexReader(payload.data(), payload.size());
  };
  StreamPlace known{0, 0};
  if (!ReadFile(reader(0), &summary->file) ||
      !ReadRecords(reader(1), summary, &known, &limits_) ||
      !LoadPlaces(reader(2), known) || !LoadPoints(reader(3), *summary) ||
      // An index may lack these.
      (sections[4].found && !LoadOffsets(reader(4), known)) ||
      (sections[5].found && !keys->Finish(known.record))) {
    return false;
  }
  // No forged size may make a reader allocate more than the file can hold.
  const uint64_t expansion =
      summary->compression == Compression::kNone ? 1 : kMaxExpansion;
  if (known.offset / expansion > summary->file.size) return false;
  known_ = known;
  verified_ = summary->verified;
  return true;
}

bool RecordIndex::LoadPlaces(IndexReader reader, const StreamPlace& known) {
  uint64_t count;
  if (!reader.Varint(&count)) return false;
  StreamPlace place{0, 0};
  for (uint64_t i = 0; i < count; ++i) {
    const StreamPlace last = place;
    if (!reader.Step(&place.record) || !reader.Step(&place.offset)) {
      return false;
    }
    const bool later = place.record > last.record && place.offset > last.offset;
    if ((i > 0 && !later) || place.record >= known.record ||
        place.offset >= known.offset) {
      return false;
    }
    AddPlace(place);
  }
  return reader.left() == 0;
}

bool RecordIndex::LoadOffsets(IndexReader reader, const StreamPlace& known) {
  if (!offsets_.Load(&reader, known.offset) || reader.left() > 0 ||
      offsets_.size() != known.record) {
    return false;
  }
  return std::all_of(places_.begin(), places_.end(),
                     [&](const StreamPlace& place) {
                       return offsets_.At(place.record) == place.offset;
                     });
}

bool RecordIndex::LoadPoints(IndexReader reader, const IndexSummary& summary) {
  uint64_t count;
  if (!reader.Varint(&count)) return false;
  if (summary.compression == Compression::kNone) {
    return count == 0 && reader.left() == 0;
  }
  ContainerInflater::Point before;
  for (uint64_t i = 0; i < count; ++i) {
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->compression = summary.compression;
    if (!ReadPoint(&reader, summary.file.size, before, checkpoint.get())) {
      return false;
    }
    before = checkpoint->point;
    // All places need one before them.
    if (i == 0 && (before.produced != 0 || before.consumed != 0)) return false;
    AddCheckpoint(std::move(checkpoint));
  }
  return reader.left() == 0 && (count > 0 || places_.empty());
}

}  // namespace tfr
