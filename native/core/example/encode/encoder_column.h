#ifndef TFR_CORE_EXAMPLE_ENCODE_ENCODER_COLUMN_H_
#define TFR_CORE_EXAMPLE_ENCODE_ENCODER_COLUMN_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "core/base/range.h"
#include "core/example/parse/plan/plan.h"

namespace tfr {

/// `EncoderColumn::starts` of a row without the feature.
inline constexpr int32_t kAbsentRow = std::numeric_limits<int32_t>::min();

/// Size of the content of such a row.
inline constexpr uint32_t kAbsentContent = std::numeric_limits<uint32_t>::max();

/// The values of one feature in all rows of a batch. The caller owns the
/// memory.
struct EncoderColumn {
  std::string key;
  Kind kind = Kind::kInt64;
  /// int64_t or float; for bytes, the data of all values.
  const void* values = nullptr;
  /// Number of values.
  size_t size = 0;
  /// For bytes: offset of each value in the data, with one more entry than
  /// values, and the size of the data.
  const int32_t* offsets = nullptr;
  size_t data_size = 0;
  /// For each row, the index of its first value, and of the one after its last.
  /// A row that starts at `kAbsentRow` does not have the feature.
  /// Null: every row has `count` values, after those of the previous row.
  const int32_t* starts = nullptr;
  const int32_t* ends = nullptr;
  size_t count = 0;
};

/// The values of row `row`. Unverified: the range may be outside of the column.
inline Range RangeOf(const EncoderColumn& column, size_t row) {
  if (column.starts == nullptr) {
    return {row * column.count, (row + 1) * column.count};
  }
  // Negative numbers become larger than every column.
  return {static_cast<size_t>(column.starts[row]),
          static_cast<size_t>(column.ends[row])};
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_ENCODER_COLUMN_H_
