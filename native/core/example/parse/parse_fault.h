#ifndef TFR_CORE_EXAMPLE_PARSE_PARSE_FAULT_H_
#define TFR_CORE_EXAMPLE_PARSE_PARSE_FAULT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"
#include "core/example/parse/plan.h"

namespace tfr {

enum class ParseFaultCode : uint8_t {
  kNone,
  kMalformed,  ///< No Example: the byte at `byte` breaks the wire format.
  kMissing,    ///< A required feature is not there, or has no kind.
  kKind,       ///< It is of another kind.
  kCount,      ///< It has another number of values.
  kInexact,    ///< An int64 that a double cannot hold.
  kTooLarge,   ///< The batch: a column has more than 2^31 - 1 values or bytes.
  kOutOfMemory,
};

inline constexpr uint32_t kNoColumn = ~uint32_t{0};

/// Why a record does not fit a plan. What does not apply is `kUnknown`.
struct ParseFault {
  ParseFaultCode code = ParseFaultCode::kNone;
  uint32_t column = kNoColumn;
  /// Within the record.
  uint64_t byte = kUnknown;
  /// Within the feature list.
  uint64_t step = kUnknown;
  /// Number of values, for kCount; the value, for kInexact.
  uint64_t found = kUnknown;
  Kind found_kind = Kind::kNone;

  explicit operator bool() const { return code != ParseFaultCode::kNone; }
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_PARSE_FAULT_H_
