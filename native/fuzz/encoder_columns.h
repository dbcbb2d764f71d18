#ifndef TFR_FUZZ_ENCODER_COLUMNS_H_
#define TFR_FUZZ_ENCODER_COLUMNS_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/example/encode/batch_encoder.h"
#include "fuzz_input.h"

/// Columns chosen by the input: key, kind, layout of the rows, and repeating
/// values. Some do not hold the rows.
namespace tfr::fuzz {

/// A column that owns its arrays.
struct Column {
  std::string key;
  Kind kind;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::string data;
  std::vector<int32_t> offsets;
  /// Used if the rows are not even.
  std::vector<int32_t> starts;
  std::vector<int32_t> ends;
  bool even;
  size_t count;

  size_t size() const {
    if (kind == Kind::kBytes) return offsets.size() - 1;
    return kind == Kind::kFloat ? floats.size() : ints.size();
  }

  /// In 64 bits, to avoid wrapping.
  int64_t Begin(size_t row) const {
    return even ? static_cast<int64_t>(row * count) : starts[row];
  }
  int64_t End(size_t row) const {
    return even ? static_cast<int64_t>((row + 1) * count) : ends[row];
  }

  EncoderColumn View() const {
    EncoderColumn view;
    view.key = key;
    view.kind = kind;
    view.size = size();
    if (kind == Kind::kBytes) {
      view.values = data.data();
      view.data_size = data.size();
      view.offsets = offsets.data();
    } else if (kind == Kind::kFloat) {
      view.values = floats.data();
    } else {
      view.values = ints.data();
    }
    view.starts = even ? nullptr : starts.data();
    view.ends = even ? nullptr : ends.data();
    view.count = count;
    return view;
  }
};

/// Numbers of any width, with their bits at the top or at the bottom.
inline int64_t Number(Input* input) {
  const uint8_t shape = input->Byte();
  uint64_t bits = 0;
  for (int i = 0; i < shape % 8; ++i) bits = bits << 8 | input->Byte();
  bits <<= shape / 8;
  return static_cast<int64_t>((shape & 0x80) != 0 ? ~bits : bits);
}

inline void FillValues(Input* input, size_t size, Column* column) {
  const size_t cycle = 1 + input->Byte() % 8;
  if (column->kind == Kind::kBytes) {
    column->data.assign(input->Byte(), 'x');
    column->offsets.push_back(input->Byte() % 4);
    for (size_t i = 0; i < size; ++i) {
      const uint8_t step = i < cycle ? input->Byte() : 0;
      // Rarely moves back, or far beyond the data.
      const int32_t next = column->offsets.back() + (step & 31) -
                           (step == 0xff ? 40 : 0) +
                           (step == 0xfe ? 0x7ffffff : 0);
      column->offsets.push_back(next);
    }
    return;
  }
  std::vector<int64_t> some(cycle);
  for (int64_t& value : some) value = Number(input);
  for (size_t i = 0; i < size; ++i) {
    const int64_t value = some[i % cycle];
    if (column->kind == Kind::kInt64) column->ints.push_back(value);
    const auto bits = static_cast<uint32_t>(value);
    float number;
    std::memcpy(&number, &bits, sizeof(number));
    if (column->kind == Kind::kFloat) column->floats.push_back(number);
  }
}

inline Column NewColumn(Input* input, size_t index, size_t rows) {
  Column column;
  column.key = std::string(input->Byte(), 'k') + static_cast<char>(index);
  column.kind = static_cast<Kind>(1 + input->Byte() % 3);
  const uint8_t layout = input->Byte();
  column.even = layout % 2 == 0;
  column.count = column.even ? layout / 2 % 64 : 0;
  size_t size = rows * column.count;
  if (!column.even) {
    for (size_t row = 0, cycle = 0; row < rows; ++row) {
      const uint8_t length = cycle++ < 8 ? input->Byte() % 80 : 1;
      column.starts.push_back(static_cast<int32_t>(size));
      size += length;
      column.ends.push_back(static_cast<int32_t>(size));
    }
    // Rows may be anywhere, and may overlap.
    if ((layout & 2) != 0 && rows > 0) {
      column.starts[input->Byte() % rows] += input->Byte() - 128;
      column.ends[input->Byte() % rows] += input->Byte() - 128;
    }
  }
  const uint8_t extra = input->Byte();
  if (extra < 250) size += extra % 4;
  if (extra >= 250 && size > 0) --size;
  FillValues(input, size, &column);
  return column;
}

}  // namespace tfr::fuzz

#endif  // TFR_FUZZ_ENCODER_COLUMNS_H_
