#ifndef TFR_DUCKDB_EXTENSION_SPEC_SPEC_FEATURE_H_
#define TFR_DUCKDB_EXTENSION_SPEC_SPEC_FEATURE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "duckdb/extension/spec/json_value.h"
#include "duckdb/extension/table.h"

/// Reads the members of a feature in the JSON of a spec. All functions throw
/// QueryError TFR_SPEC, which names the feature.
namespace tfr::duckdb {

/// `MAX_RANK` and `MAX_VALUES` of lib/example/kinds/checks.ts.
inline constexpr size_t kMaxSpecRank = 254;
inline constexpr uint64_t kMaxSpecValues = 0x7fffffff;

struct SpecFeature {
  const std::string& name;
  const JsonValue& json;
};

[[noreturn]] void Refuse(const SpecFeature& feature, const std::string& why);

/// Refuses members other than `type`, `dtype` and `members`.
void CheckMembers(const SpecFeature& feature,
                  std::initializer_list<std::string_view> members);

DType DTypeOf(const SpecFeature& feature);
/// `smallest`: the least size.
Shape ShapeOf(const SpecFeature& feature, uint64_t smallest);
/// Returns false for a missing member.
bool Flag(const SpecFeature& feature, const char* member);
/// The text of `value`, which is the member `member` or in it; may be null.
std::string TextOf(const SpecFeature& feature, const JsonValue* value,
                   const char* member);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_SPEC_SPEC_FEATURE_H_
