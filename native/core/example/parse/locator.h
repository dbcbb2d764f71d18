#ifndef TFR_CORE_EXAMPLE_PARSE_LOCATOR_H_
#define TFR_CORE_EXAMPLE_PARSE_LOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/parse/key_order.h"
#include "core/example/parse/plan.h"
#include "core/example/parse/split_values.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// First pass over a record: finds the message `Feature` (or `FeatureList`) of
/// each column, and judges the bytes around them by protobuf's rules. What
/// nobody asks for is not looked into.
class Locator {
 public:
  enum class Outcome : uint8_t { kFound, kMalformed, kNoMemory };

  explicit Locator(const Plan& plan);

  /// Frees the values in pieces that were put together.
  void Restart();

  /// Sets `spans[column * stride]` for every column; where the record has no
  /// such feature, to a span without data. Spans point into the record, or, for
  /// a value in pieces, into memory that lives until `Restart`.
  Outcome Locate(Span record, Span* spans, size_t stride);

  /// What was malformed; within the record.
  const uint8_t* broken() const { return broken_; }

  /// Where in `record` a span that was located in it begins.
  const uint8_t* PlaceOf(Span span, Span record) const;

 private:
  struct Parts {
    Span key;
    Span value;
    /// Bytes of all pieces of a value in several, else 0.
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
  /// For each column, the number of the record that last had it.
  std::vector<uint64_t> seen_;
  uint64_t record_ = 0;
  size_t found_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_LOCATOR_H_
