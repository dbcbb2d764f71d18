#ifndef TFR_DUCKDB_EXTENSION_SPEC_SPEC_DEFAULTS_H_
#define TFR_DUCKDB_EXTENSION_SPEC_SPEC_DEFAULTS_H_

#include <cstdint>
#include <string>

#include "duckdb/extension/spec/json_value.h"
#include "duckdb/extension/table.h"

namespace tfr::duckdb {

/// The message `Feature` with the default values that a spec's JSON gives: a
/// value, or the list of all `size`. Empty for no values, which are like no
/// default. Throws QueryError TFR_SPEC, which names `feature`.
std::string DefaultFeature(const std::string& feature, DType dtype,
                           uint64_t size, const JsonValue& json);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_SPEC_SPEC_DEFAULTS_H_
