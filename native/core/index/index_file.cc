#include "core/index/index_file.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "core/base/buffers.h"
#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"
#include "core/index/record_index.h"

namespace tfr {
namespace {

constexpr uint8_t kMagic[] = {0x89, 'T', 'F', 'I', 'D', 'X', '\r', '\n'};
constexpr uint32_t kVersion = 1;
constexpr size_t kTagSize = 4;
constexpr char kFile[] = "FILE";
constexpr char kRecords[] = "RECS";
constexpr char kPlaces[] = "PLCS";
constexpr char kPoints[] = "PNTS";
constexpr const char* kSections[] = {kFile, kRecords, kPlaces, kPoints};
constexpr uint32_t kOurSections = 4;
/// The largest offset and number: JavaScript's numbers are exact up to here.
constexpr uint64_t kMost = (uint64_t{1} << 53) - 1;
constexpr uint8_t kBetweenMembers = 1;
/// A checkpoint's state is deflated, which never makes it much longer.
constexpr size_t kMostState = kStateHead + kMostWindow;
constexpr size_t kMostDeflated = kMostState + 1024;

uint32_t Checksum(const uint8_t* from, const uint8_t* to) {
  return crc32c::Mask(crc32c::Extend(0, from, static_cast<size_t>(to - from)));
}

/// Appends to a buffer; throws std::bad_alloc.
class Writer {
 public:
  explicit Writer(ByteBuffer* to) : to_(to) { to_->Resize(0); }

  void Bytes(const void* data, size_t size) {
    if (size > 0) std::memcpy(Room(size), data, size);
  }
  void U8(uint8_t value) { *Room(1) = value; }
  void U32(uint32_t value) { StoreLE32(Room(4), value); }
  void U64(uint64_t value) { StoreLE64(Room(8), value); }
  void Varint(uint64_t value) {
    for (; value > 0x7f; value >>= 7) U8(static_cast<uint8_t>(value | 0x80));
    U8(static_cast<uint8_t>(value));
  }

  void BeginSection(const char* tag) {
    start_ = to_->size();
    Bytes(tag, kTagSize);
    U64(0);
  }
  void EndSection() {
    const size_t head = start_ + kTagSize + 8;
    StoreLE64(to_->data() + start_ + kTagSize, to_->size() - head);
    U32(Checksum(to_->data() + start_, to_->data() + to_->size()));
  }

 private:
  uint8_t* Room(size_t size) {
    const size_t at = to_->size();
    const size_t needed = at + size;
    if (needed > to_->capacity() &&
        !to_->Reserve(std::max({needed, 2 * to_->capacity(), size_t{4096}}))) {
      throw std::bad_alloc();
    }
    to_->Resize(needed);
    return to_->data() + at;
  }

  ByteBuffer* const to_;
  size_t start_ = 0;
};

/// Reads what `Writer` wrote. Each function returns false if that is not there.
class Reader {
 public:
  Reader(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}

  size_t left() const { return static_cast<size_t>(end_ - at_); }
  const uint8_t* at() const { return at_; }

  bool Skip(size_t size) {
    if (left() < size) return false;
    at_ += size;
    return true;
  }
  bool U8(uint8_t* value) {
    if (left() < 1) return false;
    *value = *at_++;
    return true;
  }
  bool U32(uint32_t* value) {
    if (left() < 4) return false;
    *value = LoadLE32(at_);
    at_ += 4;
    return true;
  }
  bool U64(uint64_t* value) {
    if (left() < 8) return false;
    *value = LoadLE64(at_);
    at_ += 8;
    return true;
  }
  /// A count or an offset.
  bool Number(uint64_t* value) { return U64(value) && *value <= kMost; }
  bool Varint(uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 56 && at_ < end_; shift += 7) {
      const uint8_t byte = *at_++;
      *value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return *value <= kMost;
    }
    return false;
  }
  /// Adds a varint to `*value`.
  bool Step(uint64_t* value) {
    uint64_t step;
    if (!Varint(&step) || step > kMost - *value) return false;
    *value += step;
    return true;
  }

 private:
  const uint8_t* at_;
  const uint8_t* const end_;
};

struct Section {
  const uint8_t* data = nullptr;
  size_t size = 0;
};

/// Splits the file into its sections, and checks their checksums.
IndexStatus FindSections(Reader reader, Section* found) {
  const uint8_t* const start = reader.at();
  uint32_t version;
  uint32_t count;
  uint32_t crc;
  if (reader.left() < sizeof kMagic ||
      std::memcmp(start, kMagic, sizeof kMagic) != 0) {
    return IndexStatus::kForeign;
  }
  reader.Skip(sizeof kMagic);
  if (!reader.U32(&version) || !reader.U32(&count)) {
    return IndexStatus::kDamaged;
  }
  const uint8_t* const checked = reader.at();
  if (!reader.U32(&crc) || crc != Checksum(start, checked)) {
    return IndexStatus::kDamaged;
  }
  if (version != kVersion) return IndexStatus::kNewer;
  for (; count > 0; --count) {
    const uint8_t* const tag = reader.at();
    uint64_t size;
    if (!reader.Skip(kTagSize) || !reader.U64(&size)) {
      return IndexStatus::kDamaged;
    }
    const uint8_t* const data = reader.at();
    if (size > reader.left()) return IndexStatus::kDamaged;
    reader.Skip(static_cast<size_t>(size));
    const uint8_t* const end = reader.at();
    if (!reader.U32(&crc) || crc != Checksum(tag, end)) {
      return IndexStatus::kDamaged;
    }
    Section* const section =
        std::find_if(found, found + kOurSections, [&](const Section& each) {
          return std::memcmp(tag, kSections[&each - found], kTagSize) == 0;
        });
    if (section == found + kOurSections) {
      // A section whose tag begins with a small letter may be ignored.
      if (*tag < 'a' || *tag > 'z') return IndexStatus::kNewer;
      continue;
    }
    if (section->data != nullptr) return IndexStatus::kDamaged;
    *section = {data, static_cast<size_t>(size)};
  }
  return reader.left() == 0 ? IndexStatus::kRight : IndexStatus::kDamaged;
}

bool ReadFile(Reader reader, IndexedFile* file) {
  uint64_t time;
  if (!reader.Number(&file->size) || !reader.U32(&file->head_crc) ||
      !reader.U32(&file->tail_crc) || !reader.U64(&time)) {
    return false;
  }
  file->time = static_cast<int64_t>(time);
  return reader.left() == 0;
}

}  // namespace

bool RecordIndex::Save(const IndexSummary& summary, ByteBuffer* to) const {
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    Writer writer(to);
    writer.Bytes(kMagic, sizeof kMagic);
    writer.U32(kVersion);
    writer.U32(kOurSections);
    writer.U32(Checksum(to->data(), to->data() + to->size()));

    writer.BeginSection(kFile);
    writer.U64(summary.file.size);
    writer.U32(summary.file.head_crc);
    writer.U32(summary.file.tail_crc);
    writer.U64(static_cast<uint64_t>(summary.file.time));
    writer.EndSection();

    writer.BeginSection(kRecords);
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

    writer.BeginSection(kPlaces);
    writer.Varint(places_.size());
    StreamPlace last{0, 0};
    for (const StreamPlace& place : places_) {
      writer.Varint(place.record - last.record);
      writer.Varint(place.offset - last.offset);
      last = place;
    }
    writer.EndSection();

    writer.BeginSection(kPoints);
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
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

namespace {

/// The distances that `limits` of an index has reached, and its end.
bool ReadRecords(Reader reader, IndexSummary* summary, StreamPlace* known,
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
bool ReadPoint(Reader* reader, uint64_t size,
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
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    return LoadSections(file, size, summary);
  } catch (const std::bad_alloc&) {
    return IndexStatus::kNoMemory;
  }
}

IndexStatus RecordIndex::LoadSections(const uint8_t* file, size_t size,
                                      IndexSummary* summary) {
  Section sections[kOurSections];
  const IndexStatus status = FindSections(Reader(file, size), sections);
  if (status != IndexStatus::kRight) return status;
  const auto reader = [&](size_t section) {
    return Reader(sections[section].data, sections[section].size);
  };
  StreamPlace known{0, 0};
  if (!ReadFile(reader(0), &summary->file) ||
      !ReadRecords(reader(1), summary, &known, &limits_) ||
      !LoadPlaces(sections[2].data, sections[2].size, known) ||
      !LoadPoints(sections[3].data, sections[3].size, *summary)) {
    return IndexStatus::kDamaged;
  }
  known_ = known;
  verified_ = summary->verified;
  return IndexStatus::kRight;
}

bool RecordIndex::LoadPlaces(const uint8_t* data, size_t size,
                             const StreamPlace& known) {
  Reader reader(data, size);
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

bool RecordIndex::LoadPoints(const uint8_t* data, size_t size,
                             const IndexSummary& summary) {
  Reader reader(data, size);
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
