#ifndef TFR_CORE_EXAMPLE_ENCODE_ENCODER_SIZES_H_
#define TFR_CORE_EXAMPLE_ENCODE_ENCODER_SIZES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/example/encode/encoder_column.h"
#include "core/example/wire/varint_blocks.h"
#include "core/example/wire/wire_writer.h"

/// Sizes of a row's values as the content of a list. `Of` is called for the
/// rows of one column, in order.
namespace tfr {

/// Stands for an invalid row: a value outside of its data.
inline constexpr uint64_t kNoContent = ~uint64_t{0};

/// If short rows follow each other without gaps, measures many values at once:
/// a row's size is then a difference of prefix sums. Row by row, the
/// unpredictable number of values would cost a mispredicted branch.
class IntSizes {
 public:
  explicit IntSizes(const EncoderColumn& column)
      : values_(static_cast<const uint64_t*>(column.values)),
        size_(column.size),
        even_(column.starts == nullptr) {}

  uint64_t Of(Range range) {
    const size_t count = range.end - range.begin;
    if (even_) return VarintsSize(values_ + range.begin, count);
    const bool follows = range.begin == behind_;
    behind_ = range.end;
    if (range.begin < first_ || range.end > last_) {
      if (!follows || count > kFew) {
        return VarintsSize(values_ + range.begin, count);
      }
      Sum(range.begin);
    }
    return sums_[range.end - first_] - sums_[range.begin - first_];
  }

 private:
  static constexpr size_t kFew = 32;
  static constexpr size_t kSummed = 256;

  /// Computes prefix sums of the values from `first` on, as many as fit.
  void Sum(size_t first) {
    first_ = first;
    last_ = first + std::min(kSummed, size_ - first);
    uint32_t sum = 0;
    for (size_t i = first; i < last_; ++i) {
      sum += VarintSize(values_[i]);
      sums_[i + 1 - first] = sum;
    }
  }

  const uint64_t* const values_;
  const size_t size_;
  const bool even_;
  /// End of the previous row.
  size_t behind_ = 0;
  /// The values that `sums_` covers.
  size_t first_ = 0;
  size_t last_ = 0;
  uint32_t sums_[kSummed + 1] = {};
};

class FloatSizes {
 public:
  explicit FloatSizes(const EncoderColumn&) {}

  static uint64_t Of(Range range) {
    return uint64_t{4} * (range.end - range.begin);
  }
};

class BytesSizes {
 public:
  explicit BytesSizes(const EncoderColumn& column) : column_(column) {}

  uint64_t Of(Range range) const {
    uint64_t size = 0;
    for (size_t i = range.begin; i < range.end; ++i) {
      const int64_t begin = column_.offsets[i];
      const int64_t end = column_.offsets[i + 1];
      if (begin < 0 || end < begin ||
          static_cast<uint64_t>(end) > column_.data_size) {
        return kNoContent;
      }
      size += FieldSize(static_cast<uint64_t>(end - begin));
    }
    return size;
  }

 private:
  const EncoderColumn& column_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_ENCODER_SIZES_H_
