#ifndef TFR_CORE_EXAMPLE_ENCODE_BATCH_ENCODER_H_
#define TFR_CORE_EXAMPLE_ENCODE_BATCH_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/buffers.h"
#include "core/example/encode/column_writer.h"
#include "core/example/encode/encoder_column.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Protobuf's limit.
inline constexpr uint64_t kMaxExampleBytes = 0x7fffffff;
/// Offsets in a slab have 32 bits.
inline constexpr uint64_t kMaxBatchBytes = 0xffffffff;

enum class EncodeFaultCode : uint8_t {
  kRows = 1,         ///< The values of a row are outside of the column.
  kOffsets,          ///< A value of bytes is outside of the data.
  kExampleTooLarge,  ///< A row is larger than `kMaxExampleBytes`.
  kBatchTooLarge,    ///< The rows so far exceed `kMaxBatchBytes`.
  kOutOfMemory,
};

struct EncodeFault {
  EncodeFaultCode code = EncodeFaultCode::kRows;
  size_t row = 0;
  size_t column = 0;
};

/// Encodes the rows of columns as Examples with packed numbers, in two passes:
/// measure, then write. Features are in the order of the columns. Columns and
/// values must not change in between.
class BatchEncoder {
 public:
  BatchEncoder(std::vector<EncoderColumn> columns, size_t rows);

  /// Validates the columns, and sets `frames`, one per row, to the position of
  /// each Example in the slab, without gaps. On failure returns false and sets
  /// `*fault`.
  [[nodiscard]] bool Measure(Frame* frames, EncodeFault* fault);

  /// Total size of the Examples; valid after `Measure`.
  uint64_t bytes() const { return bytes_; }

  /// Writes the Examples to `slab`, which has `bytes()` bytes; after `Measure`.
  void Write(const Frame* frames, uint8_t* slab) const;

 private:
  bool MeasureColumn(size_t index, Frame* frames, EncodeFault* fault);
  template <class Sizes>
  bool MeasureRows(size_t index, Frame* frames, EncodeFault* fault);

  std::vector<ColumnWriter> writers_;
  const size_t rows_;
  /// Column by column, for each row: size of the packed numbers, or of the list
  /// of bytes.
  TypedBuffer<uint32_t> contents_;
  uint64_t bytes_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_BATCH_ENCODER_H_
