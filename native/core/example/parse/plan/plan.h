#ifndef TFR_CORE_EXAMPLE_PARSE_PLAN_PLAN_H_
#define TFR_CORE_EXAMPLE_PARSE_PLAN_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/example/parse/plan/key_table.h"

namespace tfr {

/// Kind of a feature. The values are the field numbers in the message
/// `Feature`.
enum class Kind : uint8_t { kNone = 0, kBytes = 1, kFloat = 2, kInt64 = 3 };

/// The part of a record that holds a column's feature.
enum class Section : uint8_t {
  kFeatures = 0,  ///< Features of an Example, context of a SequenceExample.
  kLists = 1,     ///< Feature lists of a SequenceExample.
};

/// `ColumnPlan::count` of a column with any number of values per row.
inline constexpr int64_t kAnyCount = -1;

/// One feature, or feature list, to read from every record.
struct ColumnPlan {
  std::string key;
  Section section = Section::kFeatures;
  Kind kind = Kind::kInt64;
  /// Values per row (per step, in a feature list), or `kAnyCount`.
  int64_t count = kAnyCount;
  /// A record without the feature is faulty, unless there is a fallback.
  bool required = false;
  /// Message `Feature` to use for an absent one. Empty: none.
  std::string fallback;
  /// The column tells absent features from empty ones: only rows that have the
  /// feature have values, or steps. A feature without a kind counts as absent.
  bool optional = false;
};

/// What to read from each record. Immutable; shared by threads.
struct Plan {
  explicit Plan(std::vector<ColumnPlan> wanted, bool sequence_examples,
                bool numbers);

  const std::vector<ColumnPlan> columns;
  /// Records are SequenceExamples.
  const bool sequence;
  /// Converts int64 to double; a value that a double cannot represent exactly
  /// is a fault.
  const bool int64_as_number;
  const KeyTable features;
  const KeyTable lists;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_PLAN_PLAN_H_
