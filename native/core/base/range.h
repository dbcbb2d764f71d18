#ifndef TFR_CORE_BASE_RANGE_H_
#define TFR_CORE_BASE_RANGE_H_

#include <cstddef>

namespace tfr {

/// The half-open range of indices [begin, end).
struct Range {
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_RANGE_H_
