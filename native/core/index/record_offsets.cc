#include "core/index/record_offsets.h"

#include <algorithm>

namespace tfr {
namespace {

constexpr size_t kMaxVarint = 10;

uint8_t* StoreVarint(uint8_t* to, uint64_t value) {
  for (; value > 0x7f; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to++ = static_cast<uint8_t>(value);
  return to;
}

}  // namespace

class RecordOffsets::Steps {
 public:
  Steps(const RecordOffsets& offsets, size_t block)
      : offset_(offsets.blocks_[block].offset),
        least_(offsets.blocks_[block].least),
        at_(offsets.excesses_.data() + offsets.blocks_[block].at) {
    const uint64_t end = block + 1 < offsets.blocks_.size()
                             ? offsets.blocks_[block + 1].at
                             : offsets.excesses_.size();
    equal_ = end == offsets.blocks_[block].at;
  }

  /// The offset of the record that is `index` after the block's first one. The
  /// indexes must not fall.
  uint64_t To(size_t index) {
    if (equal_) return offset_ + index * least_;
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
  bool equal_;
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
  blocks_.push_back({open_[0], *least, excesses_.size()});
  try {
    excesses_.insert(excesses_.end(), excesses.data(), end);
  } catch (...) {
    blocks_.pop_back();
    throw;
  }
  open_size_ = 0;
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
    Steps steps(*this, block);
    for (; i < count && records[i] / kBlock == block; ++i) {
      offsets[i] = steps.To(records[i] % kBlock);
    }
  }
}

size_t RecordOffsets::held_bytes() const {
  return blocks_.capacity() * sizeof(Block) + excesses_.capacity();
}

void RecordOffsets::Clear() {
  std::vector<Block>().swap(blocks_);
  std::vector<uint8_t>().swap(excesses_);
  open_size_ = 0;
  last_ = 0;
}

void RecordOffsets::Save(IndexWriter* to) const {
  to->Varint(size());
  if (size() == 0) return;
  to->Varint(blocks_.empty() ? open_[0] : blocks_[0].offset);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const uint64_t at = blocks_[i].at;
    const uint64_t end =
        i + 1 < blocks_.size() ? blocks_[i + 1].at : excesses_.size();
    to->Varint(blocks_[i].least);
    to->Varint(end - at);
    to->Bytes(excesses_.data() + at, static_cast<size_t>(end - at));
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
  const Block block{*offset, least, excesses_.size()};
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
  blocks_.push_back(block);
  excesses_.insert(excesses_.end(), data, data + size);
  return true;
}

}  // namespace tfr
