#ifndef TFR_CORE_EXAMPLE_ENCODE_ENCODER_SIZES_H_
#define TFR_CORE_EXAMPLE_ENCODE_ENCODER_SIZES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/example/encode/encoder_column.h"
#include "core/example/wire/varint_blocks.h"
#include "core/example/wire/wire_writer.h"

/// How many bytes the values of a row take as the content of a list: rows of
/// one column, which come one after the other.
namespace tfr {

/// Stands for the size of content that cannot be: a value not in its data.
inline constexpr uint64_t kNoContent = ~uint64_t{0};

/// Rows of few values are measured together where each begins where the one
/// before it ended: what a row takes is a difference of sums then, for no
/// branch foretells how many values the next one has.
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

  /// Sums over the values from `first` on, as many as there is room for.
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
  /// End of the row before.
  size_t behind_ = 0;
  /// Values that are summed up.
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
