#ifndef TFR_CORE_EXAMPLE_PARSE_DIAGNOSE_H_
#define TFR_CORE_EXAMPLE_PARSE_DIAGNOSE_H_

#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Why `record`, which does not fit, does not: in the order in which
/// TensorFlow's parse_example looks. The bytes around the features come first;
/// then features, from the last in the record to the first; then those that
/// are not there or have no kind, by section and name.
ParseFault Diagnose(const Plan& plan, Span record);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_DIAGNOSE_H_
