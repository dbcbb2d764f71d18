#include "core/example/wire/wire.h"

namespace tfr {

namespace {

constexpr ptrdiff_t kLongestNumber32 = 5;
constexpr uint64_t kMaxLength = 0x7fffffff;

constexpr uint32_t kVarint = 0;
constexpr uint32_t kFixed64 = 1;
constexpr uint32_t kLengthDelimited = 2;
constexpr uint32_t kStartGroup = 3;
constexpr uint32_t kEndGroup = 4;
constexpr uint32_t kFixed32 = 5;

constexpr uint32_t TypeOf(uint32_t tag) { return tag & 7; }

}  // namespace

bool WireReader::LongVarint(uint64_t* value) {
  uint64_t sum = 0;
  const uint8_t* p = position_;
  for (ptrdiff_t i = 0; i < kLongestVarint && p < end_; ++i) {
    const uint8_t byte = *p++;
    sum |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte < 0x80) {
      position_ = p;
      *value = sum;
      return true;
    }
  }
  return false;
}

bool WireReader::Number32(uint64_t max, uint64_t* value) {
  const uint8_t* const start = position_;
  if (!Varint(value)) return false;
  if (*value > max || position_ - start > kLongestNumber32) {
    position_ = start;
    return false;
  }
  return true;
}

bool WireReader::LongTag(uint32_t* tag) {
  const uint8_t* const start = position_;
  uint64_t value;
  if (!Number32(0xffffffff, &value)) return false;
  if (value < 8) {
    position_ = start;
    return false;
  }
  *tag = static_cast<uint32_t>(value);
  return true;
}

bool WireReader::LongLength(uint64_t* size) {
  return Number32(kMaxLength, size);
}

bool WireReader::Advance(size_t count) {
  if (static_cast<size_t>(end_ - position_) < count) return false;
  position_ += count;
  return true;
}

bool WireReader::SkipScalar(uint32_t tag) {
  uint64_t value;
  Span bytes;
  switch (TypeOf(tag)) {
    case kVarint:
      return Varint(&value);
    case kFixed64:
      return Advance(8);
    case kLengthDelimited:
      return Bytes(&bytes);
    case kFixed32:
      return Advance(4);
    default:
      return false;
  }
}

bool WireReader::SkipGroup(uint32_t tag) {
  uint32_t open[kMaxDepth];
  const size_t most = depth_ < kMaxDepth ? kMaxDepth - depth_ : 0;
  size_t depth = 0;
  if (most == 0) return false;
  open[depth++] = tag;
  while (depth > 0) {
    const uint8_t* const start = position_;
    uint32_t next;
    if (!Tag(&next)) return false;
    if (TypeOf(next) == kStartGroup && depth < most) {
      open[depth++] = next;
    } else if (TypeOf(next) == kEndGroup && next >> 3 == open[depth - 1] >> 3) {
      --depth;
    } else if (!SkipScalar(next)) {
      if (TypeOf(next) == kEndGroup) position_ = start;
      return false;
    }
  }
  return true;
}

bool WireReader::Skip(uint32_t tag) {
  return TypeOf(tag) == kStartGroup ? SkipGroup(tag) : SkipScalar(tag);
}

}  // namespace tfr
