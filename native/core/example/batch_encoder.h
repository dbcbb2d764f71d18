#ifndef TFR_CORE_EXAMPLE_BATCH_ENCODER_H_
#define TFR_CORE_EXAMPLE_BATCH_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/typed_buffer.h"
#include "core/example/plan.h"
#include "core/record/record_stream.h"

namespace tfr {

/// Protobuf's own limit.
inline constexpr uint64_t kMaxExampleBytes = 0x7fffffff;
/// Positions in a slab are 32 bits.
inline constexpr uint64_t kMaxBatchBytes = 0xffffffff;

/// The values of one feature in all rows of a batch. The memory is the
/// caller's.
struct EncoderColumn {
  std::string key;
  Kind kind = Kind::kInt64;
  /// int64_t or float; of bytes the data of all values.
  const void* values = nullptr;
  /// Number of values.
  size_t size = 0;
  /// Of bytes: value -> data, one more than values, and the size of the data.
  const int32_t* offsets = nullptr;
  size_t data_size = 0;
  /// Row -> its first value, and the one behind its last. Null: every row has
  /// `count` values, behind those of the row before it.
  const int32_t* starts = nullptr;
  const int32_t* ends = nullptr;
  size_t count = 0;
};

enum class EncodeFaultCode : uint8_t {
  kRows = 1,         ///< The values of a row do not lie in the column.
  kOffsets,          ///< A value of bytes does not lie in the data.
  kExampleTooLarge,  ///< A row takes more than `kMaxExampleBytes`.
  kBatchTooLarge,  ///< The rows up to this one take more than `kMaxBatchBytes`.
  kOutOfMemory,
};

struct EncodeFault {
  EncodeFaultCode code = EncodeFaultCode::kRows;
  size_t row = 0;
  size_t column = 0;
};

/// Encodes the rows of columns as Examples with packed numbers, in two passes:
/// how long they are, then what they are. Features come in the order of the
/// columns. Neither columns nor values may change in between.
class BatchEncoder {
 public:
  BatchEncoder(std::vector<EncoderColumn> columns, size_t rows);

  /// Judges the columns, and says in `frames`, one a row, where the Examples
  /// will lie, one behind the other. False: `*fault` says why not.
  [[nodiscard]] bool Measure(Frame* frames, EncodeFault* fault);

  /// Bytes of all Examples; after `Measure`.
  uint64_t bytes() const { return bytes_; }

  /// Writes them to `slab`, which has `bytes()`; after `Measure`.
  void Write(const Frame* frames, uint8_t* slab) const;

 private:
  /// What stands between an entry's length and its value's: the name as a
  /// field, and the tag of the value.
  struct Head {
    explicit Head(const EncoderColumn& column);
    const uint8_t* data() const { return bytes.data(); }

    /// Behind the head there is padding that may be read.
    static constexpr size_t kPadding = 16;
    std::vector<uint8_t> bytes;
    size_t size;
    /// Of the feature's list.
    uint8_t kind_tag;
  };

  bool MeasureColumn(size_t index, Frame* frames, EncodeFault* fault);
  template <class Values>
  bool MeasureRows(size_t index, Frame* frames, EncodeFault* fault);
  uint8_t* WriteFeature(size_t index, size_t row, uint8_t* p,
                        const uint8_t* limit) const;

  const std::vector<EncoderColumn> columns_;
  std::vector<Head> heads_;
  const size_t rows_;
  /// Column by column, for each row: bytes of the packed numbers, or of the
  /// list of bytes.
  TypedBuffer<uint32_t> contents_;
  uint64_t bytes_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_BATCH_ENCODER_H_
