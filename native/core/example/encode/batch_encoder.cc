#include "core/example/encode/batch_encoder.h"

#include <utility>

#include "core/example/encode/encoder_sizes.h"
#include "core/example/wire/wire_writer.h"

namespace tfr {
namespace {

/// Tag of `Example.features`.
constexpr auto kFeaturesTag = static_cast<uint8_t>(LengthTag(1));

/// Size of a field's content, from the size of the whole field.
uint64_t ContentOfField(uint64_t field) {
  uint64_t digits = 1;
  while (FieldSize(field - 1 - digits) != field) ++digits;
  return field - 1 - digits;
}

}  // namespace

BatchEncoder::BatchEncoder(std::vector<EncoderColumn> columns, size_t rows)
    : rows_(rows) {
  writers_.reserve(columns.size());
  for (EncoderColumn& column : columns) {
    writers_.emplace_back(std::move(column));
  }
}

bool BatchEncoder::Measure(Frame* frames, EncodeFault* fault) {
  const size_t cells = rows_ * writers_.size();
  if (cells > 0 && contents_.Room(cells) == nullptr) {
    *fault = {EncodeFaultCode::kOutOfMemory};
    return false;
  }
  contents_.Add(cells);
  for (size_t i = 0; i < writers_.size(); ++i) {
    writers_[i].SetContents(contents_.data() + i * rows_);
  }
  // Until all columns are measured, the lengths are those of the feature map.
  for (size_t row = 0; row < rows_; ++row) frames[row] = {0, 0};
  for (size_t i = 0; i < writers_.size(); ++i) {
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
  switch (writers_[index].column().kind) {
    case Kind::kBytes:
      return MeasureRows<BytesSizes>(index, frames, fault);
    case Kind::kFloat:
      return MeasureRows<FloatSizes>(index, frames, fault);
    default:
      return MeasureRows<IntSizes>(index, frames, fault);
  }
}

template <class Sizes>
bool BatchEncoder::MeasureRows(size_t index, Frame* frames,
                               EncodeFault* fault) {
  const ColumnWriter& writer = writers_[index];
  const EncoderColumn& column = writer.column();
  uint32_t* const contents = contents_.data() + index * rows_;
  Sizes sizes(column);
  if (column.starts == nullptr && column.count > 0 &&
      rows_ > column.size / column.count) {
    *fault = {EncodeFaultCode::kRows, column.size / column.count, index};
    return false;
  }
  for (size_t row = 0; row < rows_; ++row) {
    if (column.starts != nullptr && column.starts[row] == kAbsentRow) {
      contents[row] = kAbsentContent;
      continue;
    }
    const Range range = RangeOf(column, row);
    if (range.begin > range.end || range.end > column.size) {
      *fault = {EncodeFaultCode::kRows, row, index};
      return false;
    }
    const uint64_t content = sizes.Of(range);
    if (content == kNoContent) {
      *fault = {EncodeFaultCode::kOffsets, row, index};
      return false;
    }
    const uint64_t total = frames[row].length + writer.EntrySize(content);
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
    for (const ColumnWriter& writer : writers_) {
      p = writer.Write(row, p, limit);
    }
  }
}

}  // namespace tfr
