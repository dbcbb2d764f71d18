#include "duckdb/extension/spec/spec_defaults.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/endian.h"
#include "core/base/text.h"
#include "core/example/json/base64.h"
#include "core/example/wire/wire_writer.h"
#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

using JsonKind = JsonValue::Kind;
using Form = JsonNumber::Form;

/// JavaScript's numbers are exact up to here.
constexpr int64_t kMaxExact = (int64_t{1} << 53U) - 1;

void AddVarint(uint64_t value, std::string* to) {
  uint8_t bytes[kMaxVarintBytes];
  const uint8_t* const end = WriteVarint(bytes, bytes + kMaxVarintBytes, value);
  to->append(reinterpret_cast<const char*>(bytes),
             static_cast<size_t>(end - bytes));
}

/// The field `number` with the bytes `content`.
std::string Field(int number, const std::string& content) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  AddVarint(content.size(), &field);
  return field + content;
}

/// Reads the digits of an int64, as the JSON of specs has them for large
/// numbers.
bool Int64Of(const std::string& text, int64_t* value) {
  const bool negative = !text.empty() && text[0] == '-';
  const size_t first = negative ? 1 : 0;
  if (text.size() == first || text.size() > first + 20) return false;
  const uint64_t limit =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) +
      (negative ? 1 : 0);
  uint64_t size = 0;
  for (size_t i = first; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    const auto digit = static_cast<uint64_t>(text[i] - '0');
    if (size > (limit - digit) / 10) return false;
    size = 10 * size + digit;
  }
  *value = static_cast<int64_t>(negative ? ~size + 1 : size);
  return true;
}

bool AddInt64(const JsonValue& json, std::string* to) {
  int64_t value = 0;
  if (json.is(JsonKind::kBoolean)) {
    value = json.boolean ? 1 : 0;
  } else if (json.is(JsonKind::kText)) {
    if (!Int64Of(json.text, &value)) return false;
  } else if (json.is(JsonKind::kNumber)) {
    const JsonNumber& number = json.number;
    const bool zero = number.form == Form::kFloat && number.real == 0;
    if (number.form != Form::kInt64 && !zero) return false;
    value = zero ? 0 : number.integer;
    if (value > kMaxExact || value < -kMaxExact) return false;
  } else {
    return false;
  }
  AddVarint(static_cast<uint64_t>(value), to);
  return true;
}

bool FloatOf(const JsonValue& json, float* value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (json.is(JsonKind::kText)) {
    const std::string& text = json.text;
    if (text == "NaN") {
      *value = std::numeric_limits<float>::quiet_NaN();
    } else if (text == "Infinity") {
      *value = kInfinity;
    } else if (text == "-Infinity") {
      *value = -kInfinity;
    } else if (text == "-0") {
      *value = -0.0F;
    } else {
      return false;
    }
    return true;
  }
  if (!json.is(JsonKind::kNumber)) return false;
  const JsonNumber& number = json.number;
  if (number.form == Form::kOther) return false;
  *value = number.form == Form::kFloat
               ? number.real
               : static_cast<float>(static_cast<double>(number.integer));
  return true;
}

bool AddFloat(const JsonValue& json, std::string* to) {
  float value = 0;
  if (!FloatOf(json, &value)) return false;
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  uint8_t bytes[sizeof(bits)];
  StoreLE32(bytes, bits);
  to->append(reinterpret_cast<const char*>(bytes), sizeof(bytes));
  return true;
}

bool BytesOf(const JsonValue& json, std::string* bytes) {
  if (json.is(JsonKind::kText)) {
    *bytes = json.text;
    return true;
  }
  if (!json.is(JsonKind::kObject) || json.items.size() != 1) return false;
  const JsonValue* const base64 = json.Find("base64");
  if (base64 == nullptr || !base64->is(JsonKind::kText)) return false;
  std::vector<uint8_t> decoded;
  const std::string& text = base64->text;
  if (!AddBase64Bytes(
          {reinterpret_cast<const uint8_t*>(text.data()), text.size()},
          &decoded)) {
    return false;
  }
  bytes->assign(decoded.begin(), decoded.end());
  return true;
}

bool AddBytes(const JsonValue& json, bool is_text, std::string* to) {
  std::string bytes;
  if (!BytesOf(json, &bytes)) return false;
  const auto* const data = reinterpret_cast<const uint8_t*>(bytes.data());
  if (is_text && TextKindOf(data, bytes.size()) == TextKind::kBinary) {
    return false;
  }
  *to += Field(1, bytes);
  return true;
}

bool AddValue(DType dtype, const JsonValue& json, std::string* to) {
  switch (dtype) {
    case DType::kInt64:
      return AddInt64(json, to);
    case DType::kFloat32:
      return AddFloat(json, to);
    default:
      return AddBytes(json, dtype == DType::kText, to);
  }
}

}  // namespace

std::string DefaultFeature(const std::string& feature, DType dtype,
                           uint64_t size, const JsonValue& json) {
  const std::string about = "spec: feature " + Quoted(feature) + ": ";
  const bool listed = json.is(JsonKind::kList);
  const uint64_t count = listed ? json.items.size() : 1;
  if (count != size) {
    throw QueryError("TFR_SPEC",
                     about + "the default has " + Counted(count, "value") +
                         ", the shape takes " + std::to_string(size));
  }
  if (count == 0) return "";
  std::string values;
  for (size_t i = 0; i < count; ++i) {
    if (AddValue(dtype, listed ? json.items[i] : json, &values)) continue;
    throw QueryError("TFR_SPEC", about + "the default is not of its dtype");
  }
  const Kind kind = KindOf(dtype);
  // Numbers are packed.
  if (kind != Kind::kBytes) values = Field(1, values);
  return Field(static_cast<int>(kind), values);
}

}  // namespace tfr::duckdb
