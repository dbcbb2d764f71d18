#include "core/example/encode/column_writer.h"

#include <string>
#include <utility>

#include "core/example/encode/encoder_values.h"
#include "core/example/wire/wire_writer.h"

namespace tfr {
namespace {

/// Tags of an entry of the feature map, and of its fields.
constexpr auto kEntryTag = static_cast<uint8_t>(LengthTag(1));
constexpr auto kNameTag = static_cast<uint8_t>(LengthTag(1));
constexpr auto kValueTag = static_cast<uint8_t>(LengthTag(2));
constexpr size_t kHeadPadding = 16;

/// Tag of a kind's list in the message `Feature`.
uint8_t TagOf(Kind kind) {
  return static_cast<uint8_t>(LengthTag(static_cast<uint32_t>(kind)));
}

/// The name field, and the tag of the value.
std::vector<uint8_t> HeadOf(const std::string& key) {
  std::vector<uint8_t> head(1 + kMaxVarintBytes);
  head[0] = kNameTag;
  const uint8_t* const behind =
      WriteVarint(head.data() + 1, head.data() + head.size(), key.size());
  head.resize(static_cast<size_t>(behind - head.data()));
  head.insert(head.end(), key.begin(), key.end());
  head.push_back(kValueTag);
  return head;
}

}  // namespace

ColumnWriter::ColumnWriter(EncoderColumn column)
    : column_(std::move(column)),
      head_(HeadOf(column_.key)),
      short_(head_, kEntryTag, TagOf(column_.kind), kValuesTag),
      extra_(column_.kind == Kind::kBytes ? 2 : 0),
      head_size_(head_.size()) {
  head_.resize(head_size_ + kHeadPadding);
}

uint8_t* ColumnWriter::Write(size_t row, uint8_t* p,
                             const uint8_t* limit) const {
  const uint64_t content = contents_[row];
  if (content <= extra_ || !short_.Fits(content - extra_) ||
      static_cast<size_t>(limit - p) < kShortRoom) {
    return WriteAny(row, p, limit);
  }
  const Range range = RangeOf(column_, row);
  switch (column_.kind) {
    case Kind::kInt64:
      return EncodedInts::WriteShort(column_, range, content,
                                     short_.Write(p, content), limit);
    case Kind::kFloat:
      return EncodedFloats::WriteShort(column_, range,
                                       short_.Write(p, content));
    default:
      // The tag and length of a single value equal those of a packed chunk.
      if (range.end - range.begin != 1) return WriteAny(row, p, limit);
      return EncodedBytes::WriteShort(column_, range.begin,
                                      short_.Write(p, content - extra_));
  }
}

uint64_t ColumnWriter::AnySize(uint64_t content) const {
  const uint64_t feature = FieldSize(ListSize(column_.kind, content));
  return FieldSize(head_size_ + LengthSize(feature) + feature);
}

uint8_t* ColumnWriter::WriteAny(size_t row, uint8_t* p,
                                const uint8_t* limit) const {
  const uint64_t content = contents_[row];
  if (content == kAbsentContent) return p;
  const uint64_t list = ListSize(column_.kind, content);
  const uint64_t feature = FieldSize(list);
  p = WriteHead(p, limit, kEntryTag,
                head_size_ + LengthSize(feature) + feature);
  p = WriteShort(p, limit, head_.data(), head_size_, head_.size());
  p = WriteVarint(p, limit, feature);
  p = WriteHead(p, limit, TagOf(column_.kind), list);
  if (content == 0) return p;
  const Range range = RangeOf(column_, row);
  if (column_.kind == Kind::kBytes) {
    return EncodedBytes::Write(column_, range, p, limit);
  }
  p = WriteHead(p, limit, kValuesTag, content);
  return column_.kind == Kind::kFloat
             ? EncodedFloats::Write(column_, range, p)
             : EncodedInts::Write(column_, range, p, limit);
}

}  // namespace tfr
