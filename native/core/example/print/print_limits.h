#ifndef TFR_CORE_EXAMPLE_PRINT_PRINT_LIMITS_H_
#define TFR_CORE_EXAMPLE_PRINT_PRINT_LIMITS_H_

#include <cstddef>

namespace tfr {

// The numbers that are printed unless all is: `SHORT` of
// lib/example/print/print-context.ts.

inline constexpr size_t kMostNames = 4096;
inline constexpr size_t kMostValues = 32;
inline constexpr size_t kMostSteps = 16;
inline constexpr size_t kMostTextBytes = 256;
inline constexpr size_t kMostBinaryBytes = 48;

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_PRINT_LIMITS_H_
