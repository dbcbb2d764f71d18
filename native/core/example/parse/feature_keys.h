#ifndef TFR_CORE_EXAMPLE_PARSE_FEATURE_KEYS_H_
#define TFR_CORE_EXAMPLE_PARSE_FEATURE_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/example/parse/column_data.h"
#include "core/example/parse/locator.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/wire/wire.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// The keys of a record: the values of one feature of an Example, or of the
/// context of a SequenceExample. Bytes are keys as they are, integers as their
/// decimal digits.
class FeatureKeys {
 public:
  /// The numbers are those of `KeyFaultCode` in lib/native/binding-index.ts.
  enum class Outcome : uint8_t {
    kTaken,
    /// The record is no Example.
    kMalformed,
    /// The feature holds floats.
    kFloats,
    kNoMemory,
    kTooMany,
  };

  explicit FeatureKeys(const std::string& feature);

  /// Takes the keys of `record`, in place of those before. There are none if it
  /// lacks the feature.
  Outcome Take(Span record);

  size_t size() const { return keys_.size(); }
  /// Valid as long as the record, and until the next call.
  Span at(size_t index) const { return keys_[index]; }
  /// True if the record has `key`.
  bool Has(Span key) const;

  /// Takes the keys of the records that are the `count` frames of `slab`, one
  /// record after the other, and calls `add(row, key)` for each key. Stops at
  /// the first record without a `kTaken`, and with `kTooMany` where `add`
  /// returns false. Then `row` is the index of that record.
  template <class Add>
  Outcome TakeEach(const uint8_t* slab, const Frame* frames, size_t count,
                   size_t* row, Add add) {
    for (*row = 0; *row < count; ++*row) {
      const auto [offset, length] = frames[*row];
      const Outcome outcome = Take({slab + offset, length});
      if (outcome != Outcome::kTaken) return outcome;
      for (const Span key : keys_) {
        if (!add(*row, key)) return Outcome::kTooMany;
      }
    }
    return Outcome::kTaken;
  }

 private:
  Outcome TakeInts(Span feature, Span record);

  const Plan plan_;
  Locator locator_;
  ColumnData ints_;
  std::string digits_;
  std::vector<Span> keys_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_FEATURE_KEYS_H_
