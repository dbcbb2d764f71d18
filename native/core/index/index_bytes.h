#ifndef TFR_CORE_INDEX_INDEX_BYTES_H_
#define TFR_CORE_INDEX_INDEX_BYTES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "core/base/buffers.h"
#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"

namespace tfr {

/// The bytes of saved indexes: numbers and sections, as docs/format.md,
/// "Index", specifies them.

constexpr size_t kIndexMagicSize = 8;
constexpr uint8_t kIndexMagic[kIndexMagicSize] = {0x89, 'T', 'F',  'I',
                                                  'D',  'X', '\r', '\n'};
constexpr uint32_t kIndexVersion = 1;
constexpr size_t kIndexTagSize = 4;
/// Sections that this version knows, in the order in which they are loaded. The
/// first four must be there.
constexpr size_t kIndexSectionCount = 6;
constexpr const char* kIndexSections[kIndexSectionCount] = {
    "FILE", "RECS", "PLCS", "PNTS", "offs", "keys"};
/// The largest offset and number: JavaScript's numbers are exact up to here.
constexpr uint64_t kMaxIndexNumber = (uint64_t{1} << 53) - 1;

inline uint32_t IndexChecksum(const uint8_t* from, const uint8_t* to) {
  return crc32c::Mask(crc32c::Extend(0, from, static_cast<size_t>(to - from)));
}

/// Appends to a buffer; throws std::bad_alloc.
class IndexWriter {
 public:
  explicit IndexWriter(ByteBuffer* to) : to_(to) { to_->Resize(0); }

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
    Bytes(tag, kIndexTagSize);
    U64(0);
  }
  void EndSection() {
    const size_t head = start_ + kIndexTagSize + 8;
    StoreLE64(to_->data() + start_ + kIndexTagSize, to_->size() - head);
    U32(IndexChecksum(to_->data() + start_, to_->data() + to_->size()));
  }
  /// Puts the head of a section before what was written, which is the beginning
  /// of its payload; `more` bytes of it follow.
  void Enclose(const char* tag, size_t more) {
    const size_t size = to_->size();
    const size_t head = kIndexTagSize + 8;
    Room(head);
    std::memmove(to_->data() + head, to_->data(), size);
    std::memcpy(to_->data(), tag, kIndexTagSize);
    StoreLE64(to_->data() + kIndexTagSize, size + more);
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

/// Reads what `IndexWriter` wrote. Each function returns false if that is not
/// there.
class IndexReader {
 public:
  IndexReader(const uint8_t* data, size_t size)
      : at_(data), end_(data + size) {}

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
  bool Number(uint64_t* value) {
    return U64(value) && *value <= kMaxIndexNumber;
  }
  bool Varint(uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 56 && at_ < end_; shift += 7) {
      const uint8_t byte = *at_++;
      *value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return *value <= kMaxIndexNumber;
    }
    return false;
  }
  /// Adds a varint to `*value`.
  bool Step(uint64_t* value) {
    uint64_t step;
    if (!Varint(&step) || step > kMaxIndexNumber - *value) return false;
    *value += step;
    return true;
  }

 private:
  const uint8_t* at_;
  const uint8_t* const end_;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_INDEX_BYTES_H_
