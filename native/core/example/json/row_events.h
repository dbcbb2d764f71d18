#ifndef TFR_CORE_EXAMPLE_JSON_ROW_EVENTS_H_
#define TFR_CORE_EXAMPLE_JSON_ROW_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/json/row_names.h"

namespace tfr {

/// A literal that no earlier row had for a feature, or a feature that no
/// earlier row had.
struct RowEvent {
  static constexpr uint32_t kNamed = 0;
  uint32_t row = 0;
  uint32_t name = 0;
  /// `kNamed`, or 1 and the `Literal`.
  uint32_t what = kNamed;
};

/// Puts the events of a row, those from `first` on, in order.
void SortEvents(const RowNames& names, size_t first,
                std::vector<RowEvent>* events);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_ROW_EVENTS_H_
