#ifndef TFR_CORE_EXAMPLE_PARSE_PARSE_FAULT_H_
#define TFR_CORE_EXAMPLE_PARSE_PARSE_FAULT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"
#include "core/example/parse/plan/plan.h"

namespace tfr {

enum class ParseFaultCode : uint8_t {
  kNone,
  kMalformed,  ///< Not an Example: the byte at `byte` violates the wire format.
  kMissing,    ///< A required feature is absent.
  kKind,       ///< The feature is of another kind.
  kCount,      ///< The feature has another number of values.
  kInexact,    ///< An int64 that a double cannot represent exactly.
  kTooLarge,  ///< A column of the batch has more than 2^31 - 1 values or bytes.
  kOutOfMemory,
  kForeign,   ///< Nothing of the plan is in the record, which is of another
              ///< type.
  kKindless,  ///< A required feature is there, but has no kind.
};

inline constexpr uint32_t kNoColumn = ~uint32_t{0};

/// Why a record does not fit a plan. Inapplicable numbers are `kUnknown`.
struct ParseFault {
  ParseFaultCode code = ParseFaultCode::kNone;
  uint32_t column = kNoColumn;
  /// Offset in the record.
  uint64_t byte = kUnknown;
  /// Index in the feature list.
  uint64_t step = kUnknown;
  /// For kCount, the number of values; for kInexact, the value; for kForeign,
  /// the `RecordType`.
  uint64_t found = kUnknown;
  Kind found_kind = Kind::kNone;

  explicit operator bool() const { return code != ParseFaultCode::kNone; }
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_PARSE_FAULT_H_
