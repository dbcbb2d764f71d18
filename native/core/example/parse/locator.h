#ifndef TFR_CORE_EXAMPLE_PARSE_LOCATOR_H_
#define TFR_CORE_EXAMPLE_PARSE_LOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/parse/plan/key_order.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/parse/split_values.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// First pass over a record: finds the message `Feature` (or `FeatureList`) of
/// each column, and validates the bytes around them by protobuf's rules. Does
/// not look into unused features.
class Locator {
 public:
  enum class Outcome : uint8_t {
    kFound,
    kMalformed,
    /// The record has none of the features, and is of another type.
    kForeign,
    kNoMemory,
  };

  explicit Locator(const Plan& plan);

  /// Call before a batch. Releases the merged values.
  void Restart();

  /// Sets `spans[column * stride]` for every column; to a null span if the
  /// record has no such feature. Spans point into the record, or, for a merged
  /// value, into memory that lives until `Restart`.
  Outcome Locate(Span record, Span* spans, size_t stride);

  /// Position of the malformed bytes in the record.
  const uint8_t* broken() const { return broken_; }

  /// Position in `record` of a span located in it.
  const uint8_t* PlaceOf(Span span, Span record) const;

 private:
  struct Parts {
    Span key;
    Span value;
    /// Total size if the value came in several pieces, else 0.
    size_t split_size = 0;
  };

  Outcome Entries(Span map, KeyOrder* order);
  bool AnyEntry(Span entry, Parts* parts);
  bool Merge(Span entry, Parts* parts);
  Outcome Malformed(const WireReader& reader);
  void Put(int32_t column, Span value);
  void MarkAbsent();

  const Plan& plan_;
  KeyOrder features_;
  KeyOrder lists_;
  SplitValues split_values_;
  const uint8_t* broken_ = nullptr;

  Span* spans_ = nullptr;
  size_t stride_ = 0;
  /// For each column, the number of the last record that had it.
  std::vector<uint64_t> seen_;
  uint64_t record_ = 0;
  size_t found_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_LOCATOR_H_
