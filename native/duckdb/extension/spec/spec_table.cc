#include "duckdb/extension/spec/spec_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "duckdb/extension/query_error.h"
#include "duckdb/extension/spec/json_value.h"
#include "duckdb/extension/spec/spec_defaults.h"
#include "duckdb/extension/spec/spec_feature.h"

namespace tfr::duckdb {
namespace {

using JsonKind = JsonValue::Kind;

/// `MAX_FEATURES` of lib/example/spec/validate-spec.ts.
constexpr size_t kMaxFeatures = 65536;

enum class Use : uint8_t { kExample, kContext, kSequence };
enum class Group : uint8_t { kDense, kSparse, kRagged };

/// A key that a feature reads.
struct KeyUse {
  std::string key;
  Kind kind;
  Group group;
  /// kRagged: the type of its splits.
  std::string splits;
};

/// Reads the features of one section of records.
class SpecReader {
 public:
  SpecReader(Use use, Table* table) : use_(use), table_(table) {}

  void Add(const JsonValue& features);

 private:
  void AddFeature(const SpecFeature& feature);
  void AddFixedLen(const SpecFeature& feature, DType dtype);
  void AddFixedLenSequence(const SpecFeature& feature, DType dtype);
  void AddVarLen(const SpecFeature& feature, DType dtype);
  void AddSparse(const SpecFeature& feature, DType dtype);
  void AddRagged(const SpecFeature& feature, DType dtype);
  void AddPartition(const SpecFeature& feature, const JsonValue& partition,
                    const std::string& splits);

  TableColumn* AddKey(const SpecFeature& feature, const KeyUse& use);
  void AddValues(const SpecFeature& feature, const KeyUse& use, DType dtype);

  Section section() const {
    return use_ == Use::kSequence ? Section::kLists : Section::kFeatures;
  }

  const Use use_;
  Table* const table_;
  struct Known {
    KeyUse use;
    size_t column;
    /// A feature has its values there: its dtype is that of the column.
    bool described;
  };
  std::map<std::string, Known> keys_;
};

void SpecReader::Add(const JsonValue& features) {
  if (!features.is(JsonKind::kObject)) {
    throw QueryError("TFR_SPEC", "spec: expected an object of features");
  }
  if (features.items.size() > kMaxFeatures) {
    throw QueryError("TFR_SPEC", "spec: at most 65536 features are possible");
  }
  for (size_t i = 0; i < features.items.size(); ++i) {
    AddFeature({features.names[i], features.items[i]});
  }
  if (keys_.size() > kMaxFeatures) {
    throw QueryError("TFR_SPEC", "spec: at most 65536 keys are possible");
  }
}

void SpecReader::AddFeature(const SpecFeature& feature) {
  if (!feature.json.is(JsonKind::kObject)) {
    Refuse(feature, "expected an object with type and dtype");
  }
  const std::string type = TextOf(feature, feature.json.Find("type"), "type");
  const DType dtype = DTypeOf(feature);
  if (type == "fixedLen") return AddFixedLen(feature, dtype);
  if (type == "fixedLenSequence") return AddFixedLenSequence(feature, dtype);
  if (type == "varLen") return AddVarLen(feature, dtype);
  if (type == "sparse") return AddSparse(feature, dtype);
  if (type == "ragged") return AddRagged(feature, dtype);
  Refuse(feature, "unknown type " + Quoted(type) +
                      ": expected fixedLen, varLen, fixedLenSequence, sparse "
                      "or ragged");
}

void SpecReader::AddFixedLen(const SpecFeature& feature, DType dtype) {
  CheckMembers(feature, {"shape", "default"});
  if (use_ == Use::kSequence) {
    Refuse(feature, "a feature list has steps: use fixedLenSequence");
  }
  Shape shape = ShapeOf(feature, 0);
  TableColumn* const column =
      AddKey(feature, {feature.name, KindOf(dtype), Group::kDense, ""});
  column->dtype = dtype;
  column->nullable = false;
  const JsonValue* const given = feature.json.Find("default");
  if (given != nullptr && given->is(JsonKind::kNull)) {
    if (!shape.empty()) {
      Refuse(feature, "only a feature of shape [] can have the default null");
    }
    column->nullable = true;
  } else if (given != nullptr) {
    column->fallback =
        DefaultFeature(feature.name, dtype, SizeOf(shape), *given);
  }
  column->shape = std::move(shape);
}

void SpecReader::AddFixedLenSequence(const SpecFeature& feature, DType dtype) {
  CheckMembers(feature, {"shape", "allowMissing", "default"});
  const bool missing = Flag(feature, "allowMissing");
  const JsonValue* const given = feature.json.Find("default");
  if (use_ == Use::kContext) {
    Refuse(feature, "a context has no fixedLenSequence: use varLen");
  }
  if (use_ == Use::kExample && !missing) {
    Refuse(feature, "fixedLenSequence of an Example needs allowMissing: true");
  }
  if (use_ == Use::kSequence && given != nullptr) {
    Refuse(feature, "a feature list takes no default");
  }
  Shape shape = ShapeOf(feature, 1);
  // Padding of batches, which a table does not have.
  if (given != nullptr) (void)DefaultFeature(feature.name, dtype, 1, *given);
  TableColumn* const column =
      AddKey(feature, {feature.name, KindOf(dtype), Group::kDense, ""});
  column->dtype = dtype;
  if (use_ == Use::kSequence) {
    column->nullable = missing;
    column->shape = std::move(shape);
  }
}

void SpecReader::AddVarLen(const SpecFeature& feature, DType dtype) {
  CheckMembers(feature, {});
  AddValues(feature, {feature.name, KindOf(dtype), Group::kSparse, ""}, dtype);
}

void SpecReader::AddSparse(const SpecFeature& feature, DType dtype) {
  CheckMembers(feature, {"indexKey", "valueKey", "size", "alreadySorted"});
  if (use_ != Use::kExample) {
    Refuse(feature, "sparse reads Examples only: use varLen");
  }
  (void)Flag(feature, "alreadySorted");
  const JsonValue* const keys = feature.json.Find("indexKey");
  const JsonValue* const sizes = feature.json.Find("size");
  const bool listed = keys != nullptr && keys->is(JsonKind::kList);
  const bool fits =
      sizes != nullptr && sizes->is(JsonKind::kList) == listed &&
      (!listed || (keys->items.size() == sizes->items.size() &&
                   !keys->items.empty() && keys->items.size() <= kMaxSpecRank));
  if (!fits) {
    Refuse(feature, "expected one indexKey and size, or lists of one length");
  }
  const size_t count = listed ? keys->items.size() : 1;
  for (size_t i = 0; i < count; ++i) {
    const JsonValue& size = listed ? sizes->items[i] : *sizes;
    if (!size.is(JsonKind::kNumber) ||
        size.number.form != JsonNumber::Form::kInt64 ||
        size.number.integer < 0) {
      Refuse(feature, "size is not a whole number from 0 on");
    }
  }
  const std::string values =
      TextOf(feature, feature.json.Find("valueKey"), "valueKey");
  if (values.empty()) Refuse(feature, "valueKey is empty");
  AddValues(feature, {values, KindOf(dtype), Group::kSparse, ""}, dtype);
  for (size_t i = 0; i < count; ++i) {
    const std::string key =
        TextOf(feature, listed ? &keys->items[i] : keys, "indexKey");
    if (!listed && key.empty()) Refuse(feature, "indexKey is empty");
    AddKey(feature, {key, Kind::kInt64, Group::kSparse, ""});
  }
}

void SpecReader::AddRagged(const SpecFeature& feature, DType dtype) {
  CheckMembers(feature,
               {"valueKey", "partitions", "rowSplitsDtype", "validate"});
  (void)Flag(feature, "validate");
  std::string key = feature.name;
  if (const JsonValue* const given = feature.json.Find("valueKey")) {
    key = TextOf(feature, given, "valueKey");
    if (key.empty()) Refuse(feature, "valueKey is empty");
  }
  std::string splits = "int32";
  if (const JsonValue* const given = feature.json.Find("rowSplitsDtype")) {
    splits = TextOf(feature, given, "rowSplitsDtype");
    if (splits != "int32" && splits != "int64") {
      Refuse(feature, "rowSplitsDtype is neither int32 nor int64");
    }
  }
  AddValues(feature, {key, KindOf(dtype), Group::kRagged, splits}, dtype);
  const JsonValue* const partitions = feature.json.Find("partitions");
  if (partitions == nullptr) return;
  if (!partitions->is(JsonKind::kList) ||
      partitions->items.size() > kMaxSpecRank) {
    Refuse(feature, "partitions is not a list of up to 254 partitions");
  }
  for (const JsonValue& each : partitions->items) {
    AddPartition(feature, each, splits);
  }
}

void SpecReader::AddPartition(const SpecFeature& feature,
                              const JsonValue& partition,
                              const std::string& splits) {
  const JsonValue* const by = partition.Find("by");
  const JsonValue* const key = partition.Find("key");
  const JsonValue* const length = partition.Find("length");
  const bool whole = partition.is(JsonKind::kObject) &&
                     partition.items.size() == 2 && by != nullptr &&
                     by->is(JsonKind::kText);
  if (whole && by->text == "uniformRowLength" && length != nullptr) {
    const JsonNumber& number = length->number;
    if (length->is(JsonKind::kNumber) &&
        number.form == JsonNumber::Form::kInt64 && number.integer > 0 &&
        number.integer <= static_cast<int64_t>(kMaxSpecValues)) {
      return;
    }
  } else if (whole && key != nullptr) {
    constexpr std::string_view kKeyed[] = {
        "rowSplits", "rowLengths", "rowStarts", "rowLimits", "valueRowIds"};
    if (std::find(std::begin(kKeyed), std::end(kKeyed), by->text) !=
        std::end(kKeyed)) {
      AddKey(feature, {TextOf(feature, key, "key"), Kind::kInt64,
                       Group::kRagged, splits});
      return;
    }
  }
  Refuse(feature, "a partition has by and key, or by and length");
}

/// Returns the column of a key, which is new unless another feature reads it.
TableColumn* SpecReader::AddKey(const SpecFeature& feature, const KeyUse& use) {
  const auto known = keys_.find(use.key);
  if (known != keys_.end()) {
    const KeyUse& other = known->second.use;
    if (other.kind != use.kind || other.group != use.group ||
        other.splits != use.splits) {
      Refuse(feature, "another feature reads the key " + Quoted(use.key) +
                          " in another way");
    }
    return &table_->columns[known->second.column];
  }
  const size_t index = table_->columns.size();
  keys_.emplace(use.key, Known{use, index, false});
  TableColumn& column = table_->columns.emplace_back();
  column.key = use.key;
  column.section = section();
  column.dtype = use.kind == Kind::kInt64   ? DType::kInt64
                 : use.kind == Kind::kFloat ? DType::kFloat32
                                            : DType::kBytes;
  return &column;
}

/// Adds the key of a feature's values. The first feature decides about their
/// dtype.
void SpecReader::AddValues(const SpecFeature& feature, const KeyUse& use,
                           DType dtype) {
  TableColumn* const column = AddKey(feature, use);
  Known& known = keys_.find(use.key)->second;
  if (!known.described) column->dtype = dtype;
  known.described = true;
}

/// True for the JSON of a spec of SequenceExamples. A feature called `context`
/// has a text `type`.
bool IsSequence(const JsonValue& json) {
  if (!json.is(JsonKind::kObject) || json.items.empty()) return false;
  for (size_t i = 0; i < json.items.size(); ++i) {
    if (json.names[i] != "context" && json.names[i] != "sequence") return false;
    const JsonValue* const type = json.items[i].Find("type");
    if (type != nullptr && type->is(JsonKind::kText)) return false;
  }
  return true;
}

}  // namespace

Table TableOfSpec(const std::string& text) {
  const JsonValue json = ParseJson(text);
  Table table;
  table.sequence = IsSequence(json);
  if (table.sequence) {
    for (const Use use : {Use::kContext, Use::kSequence}) {
      const JsonValue* const part =
          json.Find(use == Use::kContext ? "context" : "sequence");
      if (part != nullptr) SpecReader(use, &table).Add(*part);
    }
  } else {
    SpecReader(Use::kExample, &table).Add(json);
  }
  if (table.columns.empty()) {
    throw QueryError("TFR_SPEC", "spec: it has no features");
  }
  NameColumns(&table);
  return table;
}

}  // namespace tfr::duckdb
