#include "duckdb/extension/spec/spec_feature.h"

#include <algorithm>

#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {

using JsonKind = JsonValue::Kind;

void Refuse(const SpecFeature& feature, const std::string& why) {
  throw QueryError("TFR_SPEC",
                   "spec: feature " + Quoted(feature.name) + ": " + why);
}

DType DTypeOf(const SpecFeature& feature) {
  const std::string dtype =
      TextOf(feature, feature.json.Find("dtype"), "dtype");
  if (dtype == "int64") return DType::kInt64;
  if (dtype == "float32") return DType::kFloat32;
  if (dtype == "text") return DType::kText;
  if (dtype == "bytes") return DType::kBytes;
  Refuse(feature, "unknown dtype " + Quoted(dtype) +
                      ": expected float32, int64, bytes or text");
}

void CheckMembers(const SpecFeature& feature,
                  std::initializer_list<std::string_view> members) {
  for (const std::string& name : feature.json.names) {
    if (name == "type" || name == "dtype") continue;
    if (std::find(members.begin(), members.end(), name) != members.end()) {
      continue;
    }
    Refuse(feature, "unknown member " + Quoted(name));
  }
}

Shape ShapeOf(const SpecFeature& feature, uint64_t smallest) {
  const JsonValue* const given = feature.json.Find("shape");
  if (given == nullptr || !given->is(JsonKind::kList) ||
      given->items.size() > kMaxSpecRank) {
    Refuse(feature, "the shape is not a list of up to 254 sizes");
  }
  Shape shape;
  uint64_t values = 1;
  bool empty = false;
  for (const JsonValue& each : given->items) {
    const bool whole = each.is(JsonKind::kNumber) &&
                       each.number.form == JsonNumber::Form::kInt64 &&
                       each.number.integer >= static_cast<int64_t>(smallest);
    if (!whole) {
      Refuse(feature, "sizes of the shape are whole numbers from " +
                          std::to_string(smallest) + " on");
    }
    const auto size = static_cast<uint64_t>(each.number.integer);
    shape.push_back(size);
    if (size == 0) {
      empty = true;
    } else if (values <= kMaxSpecValues) {
      values = size > kMaxSpecValues ? size : values * size;
    }
  }
  if (values > kMaxSpecValues && !empty) {
    Refuse(feature, "the shape has more than 2147483647 values");
  }
  return shape;
}

bool Flag(const SpecFeature& feature, const char* member) {
  const JsonValue* const given = feature.json.Find(member);
  if (given == nullptr) return false;
  if (!given->is(JsonKind::kBoolean)) {
    Refuse(feature, std::string(member) + " is neither true nor false");
  }
  return given->boolean;
}

std::string TextOf(const SpecFeature& feature, const JsonValue* value,
                   const char* member) {
  if (value == nullptr || !value->is(JsonKind::kText)) {
    Refuse(feature, std::string(member) + " is not a text");
  }
  return value->text;
}

}  // namespace tfr::duckdb
