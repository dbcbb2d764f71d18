#ifndef TFR_CORE_EXAMPLE_CSV_CSV_ENCODER_H_
#define TFR_CORE_EXAMPLE_CSV_CSV_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/buffers.h"
#include "core/example/csv/csv_rows.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// The first number of a column that float32 rounds.
struct CsvRounding {
  uint32_t row = 0;
  uint32_t column = 0;
};

/// Encodes rows of CSV as Examples, byte by byte as `encodeTable` of
/// lib/table/encode-table.ts.
class CsvEncoder {
 public:
  /// Drops all records. Call it after each `CsvRows::Begin`, and before the
  /// rows of another slab.
  void Clear(const CsvRules& rules);
  /// Encodes `row`. Returns false when memory runs out.
  [[nodiscard]] bool Add(Span row, CsvRows* rows);

  /// By row: whether it was encoded.
  const std::vector<CsvState>& states() const { return states_; }
  /// The records, in order, in `data`.
  const std::vector<Frame>& frames() const { return frames_; }
  const ByteBuffer& data() const { return data_; }
  /// By column: the number of values that float32 rounds.
  const std::vector<uint32_t>& rounded() const { return rounded_; }
  /// In the order of the rows, and of the columns in each.
  const std::vector<CsvRounding>& roundings() const { return roundings_; }
  /// Releases the memory.
  void Free() { *this = CsvEncoder(); }

 private:
  /// A value that is about to be written.
  struct Value {
    uint32_t column = 0;
    bool rounded = false;
    /// An integer, or the bits of a float.
    uint64_t number = 0;
    /// Size of the list message.
    uint64_t list = 0;
  };

  bool Measure(const CsvRows& rows, uint64_t* size);
  bool MeasureField(const CsvRows& rows, uint32_t column, Value* value);
  uint8_t* WriteValue(const CsvRows& rows, const Value& value, uint8_t* p,
                      const uint8_t* limit) const;

  /// The columns that are read, in the order of their names' bytes.
  std::vector<uint32_t> order_;
  /// By column: the field of an entry that holds the name.
  std::vector<std::string> names_;
  std::vector<Value> values_;
  std::vector<CsvState> states_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> rounded_;
  std::vector<CsvRounding> roundings_;
  ByteBuffer data_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_CSV_CSV_ENCODER_H_
