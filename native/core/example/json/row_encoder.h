#ifndef TFR_CORE_EXAMPLE_JSON_ROW_ENCODER_H_
#define TFR_CORE_EXAMPLE_JSON_ROW_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/buffers.h"
#include "core/example/json/json_rows.h"
#include "core/example/parse/plan/plan.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Rules of a spec of Examples for rows. Its features have any number of
/// values, or a constant one.
struct RowSpec {
  static constexpr uint32_t kAnyCount = 0xffffffff;
  /// By the number of a name: the number of values.
  std::vector<uint32_t> counts;
  /// By the number of a name: whether each row must have the feature.
  std::vector<bool> required;
  /// Number of features that each row must have. Rows may have no names for
  /// them.
  size_t required_count = 0;
};

/// Encodes rows as Examples and SequenceExamples, once the kind of each feature
/// is known: byte by byte as `encodeRow` of lib/convert/jsonl/encode-row.ts, or
/// `specEncoder` of lib/convert/jsonl/spec-rows.ts.
class RowEncoder {
 public:
  /// In `kinds`: the feature is left out.
  static constexpr uint8_t kSkipped = 4;

  /// Encodes the rows that were taken. `kinds`, by the number of a name: a
  /// `Kind`, `kNone` for a feature that never has a value, or `kSkipped`. Rows
  /// whose values do not fit the kinds are refused. `spec`: null if the
  /// literals of rows gave the kinds; else rows must fit it, and only null and
  /// empty lists may be without a kind. Returns false when memory runs out.
  [[nodiscard]] bool Encode(const JsonRows& rows,
                            const std::vector<uint8_t>& kinds,
                            const RowSpec* spec = nullptr);

  /// By row: whether it was encoded.
  const std::vector<JsonRows::State>& states() const { return states_; }
  /// The records, in order, in `data`.
  const std::vector<Frame>& frames() const { return frames_; }
  const ByteBuffer& data() const { return data_; }
  /// Releases the memory.
  void Free();
  /// Memory of the records, and of measuring them.
  size_t held_bytes() const;

 private:
  /// An entry of a map, or a step, that is about to be written.
  struct Measured {
    uint32_t entry = 0;
    uint32_t name = 0;
    /// Size of packed numbers, or of the list of bytes.
    uint64_t content = 0;
    /// Size of the Feature, or of the FeatureList.
    uint64_t size = 0;
  };

  void Rank(const JsonRows& rows);
  bool EncodeRow(const JsonRows& rows, const JsonRows::Row& row);
  /// Measures the entries of a map, and appends them to `measured_` in the
  /// order of their names. Returns false if a value does not fit.
  bool MeasureMap(const JsonRows& rows, uint32_t begin, uint32_t end,
                  uint64_t* size);
  bool HasRequired(const JsonRows& rows, const JsonRows::Row& row) const;
  /// True if `entry` fits the spec.
  bool FitsSpec(const RowEntry& entry) const;
  bool IsWritten(const RowEntry& entry) const;
  bool MeasureSteps(const JsonRows& rows, uint32_t list, Measured* measured);
  bool MeasureFeature(const JsonRows& rows, const RowEntry& entry,
                      Measured* measured);
  bool MeasureValue(const JsonRows& rows, size_t value, Kind kind,
                    uint64_t* size);
  uint8_t* WriteMap(const JsonRows& rows, size_t begin, size_t end, uint8_t* p,
                    const uint8_t* limit);
  uint8_t* WriteFeature(const JsonRows& rows, const Measured& measured,
                        uint8_t* p, const uint8_t* limit);
  Kind KindOf(const RowEntry& entry) const {
    return static_cast<Kind>(kinds_[entry.name]);
  }

  std::vector<uint8_t> kinds_;
  const RowSpec* spec_ = nullptr;
  /// True if the current row has booleans, which are no floats by a spec.
  bool has_booleans_ = false;
  /// By the number of a name: its place in the order of UTF-8 bytes.
  std::vector<uint32_t> ranks_;
  std::vector<Measured> measured_;
  std::vector<Measured> steps_;
  std::vector<JsonRows::State> states_;
  std::vector<Frame> frames_;
  ByteBuffer data_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_ROW_ENCODER_H_
