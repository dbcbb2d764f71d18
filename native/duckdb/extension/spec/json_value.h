#ifndef TFR_DUCKDB_EXTENSION_SPEC_JSON_VALUE_H_
#define TFR_DUCKDB_EXTENSION_SPEC_JSON_VALUE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/example/json/json_number.h"

namespace tfr::duckdb {

/// A value of JSON (RFC 8259).
struct JsonValue {
  enum class Kind : uint8_t {
    kNull,
    kBoolean,
    kNumber,
    kText,
    kList,
    kObject,
  };
  Kind kind = Kind::kNull;
  bool boolean = false;
  JsonNumber number;
  std::string text;
  /// Elements of a list, or values of an object.
  std::vector<JsonValue> items;
  /// Names of an object's members, as JavaScript orders them: numbers first.
  std::vector<std::string> names;

  bool is(Kind other) const { return kind == other; }
  /// The member `name` of an object; null if there is none.
  const JsonValue* Find(const std::string& name) const;
};

/// Parses `text`. Throws QueryError TFR_SPEC for text that is not JSON, has a
/// name twice in an object, or is nested deeper than specs are.
JsonValue ParseJson(const std::string& text);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_SPEC_JSON_VALUE_H_
