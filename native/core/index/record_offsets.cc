#include "core/index/record_offsets.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace tfr {
namespace {

constexpr size_t kMaxVarint = 10;
/// Bytes of the first segment. Later ones are as large as all before, up to
/// `kMostSegment`.
constexpr size_t kLeastSegment = 4096;
constexpr size_t kMostSegment = size_t{256} << 10;

uint8_t* StoreVarint(uint8_t* to, uint64_t value) {
  for (; value > 0x7f; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to++ = static_cast<uint8_t>(value);
  return to;
}

/// Bytes of the `RecordOffsets::kBlock` varints at `begin`.
size_t SizeOfVarints(const uint8_t* begin) {
  const uint8_t* end = begin;
  for (size_t i = 0; i < RecordOffsets::kBlock; ++i) {
    while (*end++ > 0x7f) continue;
  }
  return static_cast<size_t>(end - begin);
}

}  // namespace

class RecordOffsets::Steps {
 public:
  explicit Steps(const Block& block)
      : offset_(block.offset), least_(block.least), at_(block.excesses) {}

  /// The offset of the record that is `index` after the block's first one. The
  /// indexes must not fall.
  uint64_t To(size_t index) {
    if (at_ == nullptr) return offset_ + index * least_;
    for (; index_ < index; ++index_) offset_ += least_ + Next();
    return offset_;
  }

 private:
  uint64_t Next() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }

  uint64_t offset_;
  const uint64_t least_;
  const uint8_t* at_;
  size_t index_ = 0;
};

void RecordOffsets::Add(uint64_t offset) {
  if (open_size_ == kBlock) Close(offset);
  open_[open_size_++] = last_ = offset;
}

void RecordOffsets::Close(uint64_t next) {
  std::array<uint64_t, kBlock> distances;
  for (size_t i = 0; i + 1 < kBlock; ++i)
    distances[i] = open_[i + 1] - open_[i];
  distances[kBlock - 1] = next - open_[kBlock - 1];
  const auto [least, largest] =
      std::minmax_element(distances.begin(), distances.end());
  std::array<uint8_t, kBlock * kMaxVarint> excesses;
  uint8_t* end = excesses.data();
  if (*least != *largest) {
    for (const uint64_t distance : distances) {
      end = StoreVarint(end, distance - *least);
    }
  }
  AddBlock(open_[0], *least, excesses.data(),
           static_cast<size_t>(end - excesses.data()));
  open_size_ = 0;
}

void RecordOffsets::AddBlock(uint64_t offset, uint64_t least,
                             const uint8_t* excesses, size_t size) {
  if (size == 0) {
    blocks_.push_back({offset, least, nullptr});
    return;
  }
  if (segments_.empty() ||
      segments_.back().capacity() - segments_.back().size() < size) {
    const size_t capacity =
        std::max(size, std::clamp(segment_bytes_, kLeastSegment, kMostSegment));
    ByteBuffer segment;
    if (!segment.Reserve(capacity)) throw std::bad_alloc();
    segments_.push_back(std::move(segment));
    segment_bytes_ += capacity;
  }
  ByteBuffer& segment = segments_.back();
  uint8_t* const to = segment.data() + segment.size();
  blocks_.push_back({offset, least, to});
  std::memcpy(to, excesses, size);
  segment.Resize(segment.size() + size);
}

uint64_t RecordOffsets::At(uint64_t record) const {
  uint64_t offset;
  Find(&record, 1, &offset);
  return offset;
}

void RecordOffsets::Find(const uint64_t* records, size_t count,
                         uint64_t* offsets) const {
  for (size_t i = 0; i < count;) {
    const auto block = static_cast<size_t>(records[i] / kBlock);
    if (block == blocks_.size()) {
      for (; i < count; ++i) offsets[i] = open_[records[i] % kBlock];
      return;
    }
    Steps steps(blocks_[block]);
    for (; i < count && records[i] / kBlock == block; ++i) {
      offsets[i] = steps.To(records[i] % kBlock);
    }
  }
}

size_t RecordOffsets::held_bytes() const {
  return blocks_.capacity() * sizeof(Block) + segment_bytes_;
}

void RecordOffsets::Clear() {
  std::vector<Block>().swap(blocks_);
  std::vector<ByteBuffer>().swap(segments_);
  segment_bytes_ = 0;
  open_size_ = 0;
  last_ = 0;
}

void RecordOffsets::Save(IndexWriter* to) const {
  to->Varint(size());
  if (size() == 0) return;
  to->Varint(blocks_.empty() ? open_[0] : blocks_[0].offset);
  for (const Block& block : blocks_) {
    const uint8_t* const excesses = block.excesses;
    const size_t size = excesses == nullptr ? 0 : SizeOfVarints(excesses);
    to->Varint(block.least);
    to->Varint(size);
    to->Bytes(excesses, size);
  }
  for (size_t i = 1; i < open_size_; ++i) to->Varint(open_[i] - open_[i - 1]);
}

bool RecordOffsets::Load(IndexReader* from, uint64_t end) {
  Clear();
  uint64_t count;
  uint64_t offset = 0;
  if (!from->Varint(&count)) return false;
  if (count == 0) return true;
  if (!from->Step(&offset)) return false;
  // The last block is always open, so that its end is that of the stream.
  for (uint64_t i = 0; i < (count - 1) / kBlock; ++i) {
    if (!LoadBlock(from, &offset)) return false;
  }
  const size_t open = static_cast<size_t>((count - 1) % kBlock) + 1;
  for (size_t i = 0; i < open; ++i) {
    if ((i > 0 && !from->Step(&offset)) || offset >= end) return false;
    open_[open_size_++] = last_ = offset;
  }
  return true;
}

bool RecordOffsets::LoadBlock(IndexReader* from, uint64_t* offset) {
  uint64_t least;
  uint64_t size;
  if (!from->Varint(&least) || !from->Varint(&size) || size > from->left()) {
    return false;
  }
  const uint64_t begin = *offset;
  const uint8_t* const data = from->at();
  IndexReader excesses(data, static_cast<size_t>(size));
  for (size_t i = 0; i < kBlock; ++i) {
    if ((size > 0 && !excesses.Step(offset)) ||
        least > kMaxIndexNumber - *offset) {
      return false;
    }
    *offset += least;
  }
  if (excesses.left() > 0) return false;
  from->Skip(static_cast<size_t>(size));
  AddBlock(begin, least, data, static_cast<size_t>(size));
  return true;
}

}  // namespace tfr
