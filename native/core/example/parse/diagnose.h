#ifndef TFR_CORE_EXAMPLE_PARSE_DIAGNOSE_H_
#define TFR_CORE_EXAMPLE_PARSE_DIAGNOSE_H_

#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Explains why `record` does not fit, checking in the order of TensorFlow's
/// parse_example: first the bytes around the features, and the type of a record
/// without any of them; then the features from the last in the record to the
/// first, then missing features and those without a kind, by section and name.
ParseFault Diagnose(const Plan& plan, Span record);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_DIAGNOSE_H_
