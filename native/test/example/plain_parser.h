#ifndef TFR_TEST_EXAMPLE_PLAIN_PARSER_H_
#define TFR_TEST_EXAMPLE_PLAIN_PARSER_H_

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/type/record_type.h"
#include "test/example/plain_wire.h"

/// The specification of core/example as simple code: protobuf's rules for
/// Example and SequenceExample, TensorFlow's rules for features. Slow; decodes
/// everything; shares only types, and the judgement of the types of records,
/// with the core.
namespace tfr::test {

using PlainKey = std::pair<Section, std::string>;

/// One map entry. Its value may come in pieces, which are merged.
struct PlainEntry {
  std::vector<std::string_view> pieces;
  size_t place = 0;
};

struct PlainFeature {
  Kind kind = Kind::kNone;
  std::vector<std::string> bytes;
  std::vector<uint32_t> floats;  ///< Bit patterns.
  std::vector<int64_t> ints;

  size_t Count() const { return bytes.size() + floats.size() + ints.size(); }
};

/// Takes the fields of one BytesList, FloatList or Int64List at depth `depth`.
inline bool TakePlainList(std::string_view list, PlainFeature* feature,
                          int depth) {
  const PlainMessage message(list, depth);
  for (const PlainField& field : message.fields) {
    if (field.number != 1) continue;
    const bool packed = field.type == 2;
    if (feature->kind == Kind::kBytes && packed) {
      feature->bytes.emplace_back(field.bytes);
    } else if (feature->kind == Kind::kFloat && (packed || field.type == 5)) {
      if (field.bytes.size() % 4 != 0) return false;
      for (size_t i = 0; i < field.bytes.size(); i += 4) {
        uint32_t bits = 0;
        for (size_t j = 4; j-- > 0;) {
          bits = bits << 8 | static_cast<uint8_t>(field.bytes[i + j]);
        }
        feature->floats.push_back(bits);
      }
    } else if (feature->kind == Kind::kInt64 && packed) {
      for (PlainWire wire(field.bytes); !wire.done();) {
        const auto value = wire.Varint();
        if (!value) return false;
        feature->ints.push_back(static_cast<int64_t>(*value));
      }
    } else if (feature->kind == Kind::kInt64 && field.type == 0) {
      feature->ints.push_back(static_cast<int64_t>(field.value));
    }
  }
  return message.whole;
}

inline std::optional<PlainFeature> PlainFeatureOf(
    const std::vector<std::string_view>& pieces, int depth) {
  PlainFeature feature;
  for (const std::string_view piece : pieces) {
    const PlainMessage message(piece, depth);
    for (const PlainField& field : message.fields) {
      if (field.type != 2 || field.number > 3) continue;
      const Kind kind = static_cast<Kind>(field.number);
      if (kind != feature.kind) feature = {kind, {}, {}, {}};
      if (!TakePlainList(field.bytes, &feature, depth + 1)) return std::nullopt;
    }
    if (!message.whole) return std::nullopt;
  }
  return feature;
}

/// Finds the last entry of each key. Returns false if the record is malformed.
inline bool PlainLocate(const Plan& plan, std::string_view record,
                        std::map<PlainKey, PlainEntry>* found) {
  size_t place = 0;
  const PlainMessage example(record, 0);
  for (const PlainField& map : example.fields) {
    const bool lists = plan.sequence && map.number == 2;
    if (map.type != 2 || (map.number != 1 && !lists)) continue;
    const PlainMessage entries(map.bytes, 1);
    for (const PlainField& field : entries.fields) {
      if (field.type != 2 || field.number != 1) continue;
      const PlainMessage parts(field.bytes, 2);
      PlainKey key(lists ? Section::kLists : Section::kFeatures, "");
      PlainEntry entry;
      entry.place = ++place;
      for (const PlainField& part : parts.fields) {
        if (part.type != 2) continue;
        if (part.number == 1) key.second = part.bytes;
        if (part.number == 2) entry.pieces.push_back(part.bytes);
      }
      if (!parts.whole) return false;
      (*found)[key] = entry;
    }
    if (!entries.whole) return false;
  }
  return example.whole;
}

/// One column in the layout of ColumnData; all arrays are always used.
struct PlainColumn {
  std::vector<int32_t> present{0};
  std::vector<int32_t> steps{0};
  std::vector<int32_t> splits{0};
  std::vector<int32_t> offsets{0};
  std::string bytes;
  std::vector<uint32_t> floats;
  std::vector<int64_t>
      ints;  ///< Bit patterns of doubles, if the plan converts.

  void Add(const PlainFeature& feature) {
    for (const std::string& value : feature.bytes) {
      bytes += value;
      offsets.push_back(static_cast<int32_t>(bytes.size()));
    }
    floats.insert(floats.end(), feature.floats.begin(), feature.floats.end());
    ints.insert(ints.end(), feature.ints.begin(), feature.ints.end());
    const size_t values = offsets.size() - 1 + floats.size() + ints.size();
    splits.push_back(static_cast<int32_t>(values));
  }
};

class PlainParser {
 public:
  explicit PlainParser(const Plan& plan)
      : plan_(plan), columns_(plan.columns.size()) {}

  size_t rows() const { return rows_; }
  const PlainColumn& column(size_t index) const { return columns_[index]; }

  /// Appends a record, or appends nothing and returns the fault. Checks the
  /// bytes around the features first, then features from the last in the record
  /// to the first, then missing ones by section and name. A record that is of
  /// another type is so by its first fault, or if it has none of the features.
  ParseFault Append(std::string_view record) {
    std::map<PlainKey, PlainEntry> found;
    const bool whole = PlainLocate(plan_, record, &found);
    const ParseFault foreign = Foreign(record, whole);
    if (foreign && (!whole || !HasAny(found))) return foreign;
    if (!whole) return Fault(kMalformed);
    std::vector<std::vector<PlainFeature>> rows(columns_.size());
    std::vector<bool> present(columns_.size());
    std::map<size_t, ParseFault> faults;
    std::map<PlainKey, ParseFault> missing;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const ColumnPlan& column = plan_.columns[i];
      const PlainKey key(column.section, column.key);
      const bool there = found.count(key) != 0;
      const PlainEntry entry = there ? found.at(key) : PlainEntry{};
      ParseFault fault = column.section == Section::kFeatures
                             ? Feature(column, there, entry, &rows[i])
                             : List(column, there, entry, &rows[i]);
      present[i] =
          column.section == Section::kFeatures ? !rows[i].empty() : there;
      if (!fault) fault = Convert(&rows[i]);
      if (!fault) continue;
      fault.column = i;
      if (fault.code == kMissing || fault.code == kKindless) {
        missing[key] = fault;
      } else {
        faults[entry.place] = fault;
      }
    }
    if (!faults.empty()) return faults.rbegin()->second;
    if (!missing.empty()) return missing.begin()->second;
    for (size_t i = 0; i < rows.size(); ++i) {
      PlainColumn& column = columns_[i];
      column.present.push_back(column.present.back() + (present[i] ? 1 : 0));
      if (plan_.columns[i].optional && !present[i]) continue;
      const size_t steps = rows[i].size();
      column.steps.push_back(column.steps.back() + static_cast<int32_t>(steps));
      for (const PlainFeature& step : rows[i]) column.Add(step);
    }
    ++rows_;
    return {};
  }

 private:
  static constexpr auto kMalformed = ParseFaultCode::kMalformed;
  static constexpr auto kMissing = ParseFaultCode::kMissing;
  static constexpr auto kKindless = ParseFaultCode::kKindless;

  static ParseFault Fault(ParseFaultCode code) {
    ParseFault fault;
    fault.code = code;
    return fault;
  }

  /// True if the plan asks for something that was found.
  bool HasAny(const std::map<PlainKey, PlainEntry>& found) const {
    return columns_.empty() ||
           std::any_of(plan_.columns.begin(), plan_.columns.end(),
                       [&found](const ColumnPlan& column) {
                         return found.count({column.section, column.key}) != 0;
                       });
  }

  /// A malformed record is of another type only if this type is a known one.
  static ParseFault Foreign(std::string_view record, bool whole) {
    const Span span = {reinterpret_cast<const uint8_t*>(record.data()),
                       record.size()};
    const RecordType type = RecordTypeOf(span);
    const bool known = type == RecordType::kExampleListWithContext ||
                       type == RecordType::kPredictionLog;
    if (!known && !(whole && IsForeign(span))) return {};
    ParseFault fault = Fault(ParseFaultCode::kForeign);
    fault.found = static_cast<uint64_t>(type);
    return fault;
  }

  /// A feature without a kind fits every kind, and has no values.
  static ParseFault Fit(const ColumnPlan& column, const PlainFeature& feature) {
    ParseFault fault;
    if (feature.kind != column.kind && feature.kind != Kind::kNone) {
      fault.code = ParseFaultCode::kKind;
      fault.found_kind = feature.kind;
    } else if (column.count != kAnyCount &&
               feature.Count() != static_cast<uint64_t>(column.count)) {
      fault.code = ParseFaultCode::kCount;
      fault.found = feature.Count();
    }
    return fault;
  }

  /// In an Example, a feature without a kind is absent.
  ParseFault Feature(const ColumnPlan& column, bool there,
                     const PlainEntry& entry,
                     std::vector<PlainFeature>* row) const {
    auto feature = there ? PlainFeatureOf(entry.pieces, 3) : PlainFeature{};
    if (!feature) return Fault(kMalformed);
    if (feature->kind == Kind::kNone && column.optional) return {};
    if (feature->kind == Kind::kNone && (!there || !plan_.sequence)) {
      const bool any = column.count == kAnyCount;
      const ParseFault absent = Fault(there ? kKindless : kMissing);
      if (any && column.required) return absent;
      if (!any && column.fallback.empty()) return absent;
      if (!any) feature = PlainFeatureOf({column.fallback}, 3);
      if (!feature) return Fault(kMalformed);
    }
    row->push_back(*feature);
    return Fit(column, *feature);
  }

  static ParseFault List(const ColumnPlan& column, bool there,
                         const PlainEntry& entry,
                         std::vector<PlainFeature>* row) {
    if (!there) return column.required ? Fault(kMissing) : ParseFault{};
    for (const std::string_view piece : entry.pieces) {
      const PlainMessage list(piece, 3);
      for (const PlainField& field : list.fields) {
        if (field.number != 1 || field.type != 2) continue;
        const auto feature = PlainFeatureOf({field.bytes}, 4);
        ParseFault fault = feature ? Fit(column, *feature) : Fault(kMalformed);
        fault.step = row->size();
        if (fault) return fault;
        row->push_back(*feature);
      }
      if (!list.whole) return Fault(kMalformed);
    }
    return {};
  }

  ParseFault Convert(std::vector<PlainFeature>* row) const {
    if (!plan_.int64_as_number) return {};
    for (PlainFeature& feature : *row) {
      for (int64_t& value : feature.ints) {
        constexpr int64_t kMost = 9007199254740991;
        if (value > kMost || value < -kMost) {
          ParseFault fault = Fault(ParseFaultCode::kInexact);
          fault.found = static_cast<uint64_t>(value);
          return fault;
        }
        const double number = static_cast<double>(value);
        std::memcpy(&value, &number, sizeof(value));
      }
    }
    return {};
  }

  const Plan& plan_;
  std::vector<PlainColumn> columns_;
  size_t rows_ = 0;
};

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_PLAIN_PARSER_H_
