#ifndef TFR_CORE_EXAMPLE_PARSE_PLAN_ROWS_WITHIN_H_
#define TFR_CORE_EXAMPLE_PARSE_PLAN_ROWS_WITHIN_H_

#include <cstddef>
#include <cstdint>

#include "core/example/parse/plan/plan.h"

namespace tfr {

/// The number of rows, from 1 to `most`, that take up to `bytes` if their
/// records are empty: defaults may be long.
size_t RowsWithin(const Plan& plan, uint64_t bytes, size_t most);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_PLAN_ROWS_WITHIN_H_
