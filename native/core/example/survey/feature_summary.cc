#include "core/example/survey/feature_summary.h"

#include <cmath>

namespace tfr {

void IntSummary::Add(const int64_t* values, size_t count) {
  int64_t low = min;
  int64_t high = max;
  uint64_t none = 0;
  for (size_t i = 0; i < count; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
    none += values[i] == 0;
  }
  min = low;
  max = high;
  zeros += none;
  for (size_t i = 0; i < count && !distinct.many(); ++i) {
    distinct.Add(values[i]);
  }
}

void IntSummary::Merge(const IntSummary& other) {
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  zeros += other.zeros;
  distinct.Merge(other.distinct);
}

void FloatSummary::Add(float value) {
  if (std::isfinite(value)) {
    min = std::min(min, value);
    max = std::max(max, value);
    zeros += value == 0;
  } else if (std::isnan(value)) {
    ++nans;
  } else {
    ++infinities;
  }
}

void FloatSummary::Merge(const FloatSummary& other) {
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  zeros += other.zeros;
  nans += other.nans;
  infinities += other.infinities;
}

Picture BytesSummary::Add(Span value) {
  lengths.Add(value.size);
  distinct.Add(value);
  const Picture picture = PictureOf(value);
  ++pictures[static_cast<size_t>(picture)];
  switch (TextKindOf(value.data, value.size)) {
    case TextKind::kBinary:
      ++binary;
      break;
    case TextKind::kControl:
      ++control;
      break;
    case TextKind::kText:
      break;
  }
  return picture;
}

void BytesSummary::Merge(const BytesSummary& other) {
  lengths.Merge(other.lengths);
  binary += other.binary;
  control += other.control;
  for (size_t i = 0; i < kPictures; ++i) pictures[i] += other.pictures[i];
  distinct.Merge(other.distinct);
}

void FeatureSummary::Merge(const FeatureSummary& other) {
  records += other.records;
  for (size_t i = 0; i < 4; ++i) features[i] += other.features[i];
  empty += other.empty;
  counts.Merge(other.counts);
  steps.Merge(other.steps);
  ints.Merge(other.ints);
  floats.Merge(other.floats);
  bytes.Merge(other.bytes);
}

std::vector<double> FeatureSummary::Numbers() const {
  std::vector<double> numbers;
  const auto add = [&numbers](auto number) {
    numbers.push_back(static_cast<double>(number));
  };
  const auto extent = [&add](const Extent& sizes) {
    add(sizes.min);
    add(sizes.max);
    add(sizes.total);
  };
  add(records);
  for (const uint64_t count : features) add(count);
  add(empty);
  extent(counts);
  extent(steps);
  add(ints.zeros);
  add(floats.min);
  add(floats.max);
  add(floats.zeros);
  add(floats.nans);
  add(floats.infinities);
  extent(bytes.lengths);
  add(bytes.binary);
  add(bytes.control);
  for (const uint64_t count : bytes.pictures) add(count);
  return numbers;
}

}  // namespace tfr
