#ifndef TFR_CORE_EXAMPLE_SURVEY_FEATURE_SUMMARY_H_
#define TFR_CORE_EXAMPLE_SURVEY_FEATURE_SUMMARY_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/text.h"
#include "core/example/survey/distinct_values.h"
#include "core/example/survey/picture.h"

namespace tfr {

/// Smallest, largest and sum of some sizes.
struct Extent {
  uint64_t min = ~uint64_t{0};
  uint64_t max = 0;
  uint64_t total = 0;

  void Add(uint64_t size) {
    min = std::min(min, size);
    max = std::max(max, size);
    total += size;
  }
  void Merge(const Extent& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    total += other.total;
  }
};

/// The integers of a feature.
struct IntSummary {
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();
  uint64_t zeros = 0;
  DistinctInts distinct;

  void Add(const int64_t* values, size_t count);
  void Merge(const IntSummary& other);
};

/// The floats of a feature. The bounds are those of finite values.
struct FloatSummary {
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
  uint64_t zeros = 0;
  uint64_t nans = 0;
  uint64_t infinities = 0;

  void Add(float value);
  void Merge(const FloatSummary& other);
};

/// The byte strings of a feature.
struct BytesSummary {
  Extent lengths;
  /// Values that are not UTF-8.
  uint64_t binary = 0;
  /// Values that are UTF-8 with control characters.
  uint64_t control = 0;
  /// Values that start like a picture, by its format.
  uint64_t pictures[kPictures] = {};
  DistinctBytes distinct;

  /// Returns the picture's format.
  Picture Add(Span value);
  void Merge(const BytesSummary& other);
};

/// The summary of one feature or feature list in many records. A list's steps
/// are counted like features.
struct FeatureSummary {
  /// Records that have it, with a kind or without.
  uint64_t records = 0;
  /// Number of features by kind; `features[0]` have none.
  uint64_t features[4] = {};
  /// Features that have a kind but no values.
  uint64_t empty = 0;
  /// Number of values of features that have a kind.
  Extent counts;
  /// Feature lists: number of steps.
  Extent steps;
  IntSummary ints;
  FloatSummary floats;
  BytesSummary bytes;

  void AddFeature(unsigned kind, uint32_t count) {
    ++features[kind];
    if (kind == 0) return;
    if (count == 0) ++empty;
    counts.Add(count);
  }
  void Merge(const FeatureSummary& other);
  /// All but the distinct values and the extent of the integers, in the order
  /// of `SurveyField` of lib/native/binding-examples.ts.
  std::vector<double> Numbers() const;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_SURVEY_FEATURE_SUMMARY_H_
