#include "core/example/batch_encoder.h"

#include <cstring>
#include <utility>

#include "core/example/encoder_values.h"
#include "core/example/wire_writer.h"

namespace tfr {
namespace {

/// `Example.features`, and each entry of the map that it holds.
constexpr auto kFeaturesTag = static_cast<uint8_t>(LengthTag(1));
constexpr auto kEntryTag = static_cast<uint8_t>(LengthTag(1));
constexpr auto kNameTag = static_cast<uint8_t>(LengthTag(1));
constexpr auto kValueTag = static_cast<uint8_t>(LengthTag(2));

ValueRange RangeOf(const EncoderColumn& column, size_t row) {
  if (column.starts == nullptr) {
    return {row * column.count, (row + 1) * column.count};
  }
  // Negative ones become larger than every column.
  return {static_cast<size_t>(column.starts[row]),
          static_cast<size_t>(column.ends[row])};
}

/// Bytes of the list message: numbers are one field of it, unless there are
/// none.
uint64_t ListSize(Kind kind, uint64_t content) {
  return kind == Kind::kBytes || content == 0 ? content : FieldSize(content);
}

/// The content of a field, from the size of the whole field.
uint64_t ContentOfField(uint64_t field) {
  uint64_t digits = 1;
  while (FieldSize(field - 1 - digits) != field) ++digits;
  return field - 1 - digits;
}

}  // namespace

BatchEncoder::Head::Head(const EncoderColumn& column)
    : kind_tag(
          static_cast<uint8_t>(LengthTag(static_cast<uint32_t>(column.kind)))) {
  uint8_t length[10];
  uint8_t* const end =
      WriteVarint(length, length + sizeof(length), column.key.size());
  bytes.push_back(kNameTag);
  bytes.insert(bytes.end(), length, end);
  bytes.insert(bytes.end(), column.key.begin(), column.key.end());
  bytes.push_back(kValueTag);
  size = bytes.size();
  bytes.resize(size + kPadding);
}

BatchEncoder::BatchEncoder(std::vector<EncoderColumn> columns, size_t rows)
    : columns_(std::move(columns)), rows_(rows) {
  heads_.reserve(columns_.size());
  for (const EncoderColumn& column : columns_) heads_.emplace_back(column);
}

bool BatchEncoder::Measure(Frame* frames, EncodeFault* fault) {
  const size_t cells = rows_ * columns_.size();
  if (cells > 0 && contents_.Room(cells) == nullptr) {
    *fault = {EncodeFaultCode::kOutOfMemory};
    return false;
  }
  contents_.Add(cells);
  // Lengths are those of the map of features until all columns are there.
  for (size_t row = 0; row < rows_; ++row) frames[row] = {0, 0};
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!MeasureColumn(i, frames, fault)) return false;
  }
  uint64_t end = 0;
  for (size_t row = 0; row < rows_; ++row) {
    const uint64_t size = FieldSize(frames[row].length);
    if (size > kMaxExampleBytes || end + size > kMaxBatchBytes) {
      *fault = {size > kMaxExampleBytes ? EncodeFaultCode::kExampleTooLarge
                                        : EncodeFaultCode::kBatchTooLarge,
                row};
      return false;
    }
    frames[row] = {static_cast<uint32_t>(end), static_cast<uint32_t>(size)};
    end += size;
  }
  bytes_ = end;
  return true;
}

bool BatchEncoder::MeasureColumn(size_t index, Frame* frames,
                                 EncodeFault* fault) {
  switch (columns_[index].kind) {
    case Kind::kBytes:
      return MeasureRows<EncodedBytes>(index, frames, fault);
    case Kind::kFloat:
      return MeasureRows<EncodedFloats>(index, frames, fault);
    default:
      return MeasureRows<EncodedInts>(index, frames, fault);
  }
}

template <class Values>
bool BatchEncoder::MeasureRows(size_t index, Frame* frames,
                               EncodeFault* fault) {
  const EncoderColumn& column = columns_[index];
  const size_t head = heads_[index].size;
  uint32_t* const contents = contents_.data() + index * rows_;
  if (column.starts == nullptr && column.count > 0 &&
      rows_ > column.size / column.count) {
    *fault = {EncodeFaultCode::kRows, column.size / column.count, index};
    return false;
  }
  for (size_t row = 0; row < rows_; ++row) {
    const ValueRange range = RangeOf(column, row);
    if (range.begin > range.end || range.end > column.size) {
      *fault = {EncodeFaultCode::kRows, row, index};
      return false;
    }
    const uint64_t content = Values::Size(column, range);
    if (content == kNoContent) {
      *fault = {EncodeFaultCode::kOffsets, row, index};
      return false;
    }
    const uint64_t feature = FieldSize(ListSize(column.kind, content));
    const uint64_t entry = head + LengthSize(feature) + feature;
    const uint64_t total = frames[row].length + FieldSize(entry);
    if (total > kMaxExampleBytes) {
      *fault = {EncodeFaultCode::kExampleTooLarge, row, index};
      return false;
    }
    contents[row] = static_cast<uint32_t>(content);
    frames[row].length = static_cast<uint32_t>(total);
  }
  return true;
}

void BatchEncoder::Write(const Frame* frames, uint8_t* slab) const {
  uint8_t* p = slab;
  const uint8_t* const limit = slab + bytes_;
  for (size_t row = 0; row < rows_; ++row) {
    p = WriteHead(p, limit, kFeaturesTag, ContentOfField(frames[row].length));
    for (size_t i = 0; i < columns_.size(); ++i) {
      p = WriteFeature(i, row, p, limit);
    }
  }
}

uint8_t* BatchEncoder::WriteFeature(size_t index, size_t row, uint8_t* p,
                                    const uint8_t* limit) const {
  const EncoderColumn& column = columns_[index];
  const Head& head = heads_[index];
  const uint64_t content = contents_.data()[index * rows_ + row];
  const uint64_t list = ListSize(column.kind, content);
  const uint64_t feature = FieldSize(list);
  p = WriteHead(p, limit, kEntryTag, head.size + LengthSize(feature) + feature);
  p = WriteShort(p, limit, head.data(), head.size, head.bytes.size());
  p = WriteVarint(p, limit, feature);
  p = WriteHead(p, limit, head.kind_tag, list);
  if (content == 0) return p;
  const ValueRange range = RangeOf(column, row);
  if (column.kind == Kind::kBytes) {
    return EncodedBytes::Write(column, range, p, limit);
  }
  p = WriteHead(p, limit, kValuesTag, content);
  return column.kind == Kind::kFloat
             ? EncodedFloats::Write(column, range, p)
             : EncodedInts::Write(column, range, p, limit);
}

}  // namespace tfr
