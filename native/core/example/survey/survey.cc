#include "core/example/survey/survey.h"

#include <algorithm>
#include <cstring>

#include "core/base/endian.h"
#include "core/base/text.h"
#include "core/example/type/grammar.h"
#include "core/example/type/record_type.h"

namespace tfr {

namespace {

/// Most pictures whose places are kept: of one feature, and of all.
constexpr uint32_t kFeaturePictures = 16;
constexpr size_t kMostPictures = 1024;
/// Most features whose order is remembered.
constexpr size_t kMostPredicted = 4096;

constexpr uint32_t kNoFeature = ~uint32_t{0};
constexpr uint32_t kFeaturesTag = LengthTag(1);
constexpr uint32_t kFeatureListsTag = LengthTag(2);

float FloatAt(const uint8_t* p) {
  const uint32_t bits = LoadLE32(p);
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::string_view TextOf(Span bytes) {
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}

bool IsUtf8(Span bytes) {
  return TextKindOf(bytes.data, bytes.size) != TextKind::kBinary;
}

/// The fields of a record at its top level. The record is well formed.
struct Fields {
  /// It has a field of feature lists without a list in it.
  bool empty_lists = false;
  /// It has fields of another message. Only right if no entry was decoded.
  bool unknown = false;
};

Fields FieldsOf(Span record) {
  Fields fields;
  WireReader reader(record, Depth::kRecord);
  while (!reader.done()) {
    uint32_t tag;
    Span map;
    if (!reader.Tag(&tag)) break;
    const bool known = tag == kFeaturesTag || tag == kFeatureListsTag;
    if (!(known ? reader.Bytes(&map) : reader.Skip(tag))) break;
    fields.empty_lists |= tag == kFeatureListsTag && map.size == 0;
    // An entry would have been decoded, so this map has unknown fields alone.
    fields.unknown |= !known || map.size > 0;
  }
  return fields;
}

/// True if a feature, or a step, has a kind.
bool HasKind(const TypedBuffer<DecodedRow>& rows) {
  const DecodedRow* const end = rows.data() + rows.size();
  return std::any_of(rows.data(), end, [](const DecodedRow& row) {
    return row.kind != RowKind::kNone && row.kind != RowKind::kSteps;
  });
}

}  // namespace

void Survey::Clear() {
  decoder_.Clear();
  records_ = with_lists_ = seen_ = 0;
  index_.clear();
  features_.clear();
  order_.clear();
  entries_.clear();
  pictures_.clear();
}

Survey::Outcome Survey::Take(Span record) {
  if (record.size > ExampleDecoder::kMaxRecordBytes) return Outcome::kMalformed;
  ++seen_;
  switch (decoder_.Decode(record)) {
    case ExampleDecoder::Outcome::kMalformed:
      return Outcome::kMalformed;
    case ExampleDecoder::Outcome::kNoMemory:
      return Outcome::kNoMemory;
    case ExampleDecoder::Outcome::kDecoded:
      break;
  }
  const Fields fields = FieldsOf(record);
  const TypedBuffer<DecodedRow>& rows = decoder_.decoded().rows;
  if (rows.empty() ? fields.unknown : !HasKind(rows) && IsForeign(record)) {
    return Outcome::kForeign;
  }
  bool lists = fields.empty_lists;
  const Outcome outcome = Resolve(record);
  if (outcome != Outcome::kTaken) return outcome;
  for (const Entry& entry : entries_) {
    lists |= decoder_.decoded().rows[entry.row].kind == RowKind::kSteps;
    if (entry.feature != kNoFeature) AddRow(record, entry.row, entry.feature);
  }
  ++records_;
  with_lists_ += lists;
  return Outcome::kTaken;
}

/// Finds the features of the record's entries, before any is counted.
Survey::Outcome Survey::Resolve(Span record) {
  const DecodedRecord& decoded = decoder_.decoded();
  for (size_t i = 0; i < decoded.idle_names.size(); i += 2) {
    if (!IsUtf8(
            {record.data + decoded.idle_names[i], decoded.idle_names[i + 1]})) {
      return Outcome::kMalformed;
    }
  }
  entries_.clear();
  next_ = 0;
  for (size_t row = 0; row < decoded.rows.size();) {
    const DecodedRow& head = decoded.rows[row];
    const bool list = head.kind == RowKind::kSteps;
    uint32_t feature;
    const Outcome outcome =
        FindFeature(record, list ? Section::kLists : Section::kFeatures,
                    {record.data + head.name_offset, head.name_size}, &feature);
    if (outcome != Outcome::kTaken) return outcome;
    SurveyedFeature& found = *features_[feature];
    if (found.last_record == seen_) {
      entries_[found.last_entry].feature = kNoFeature;
    }
    found.last_record = seen_;
    found.last_entry = entries_.size();
    entries_.push_back({row, feature});
    row += list ? size_t{1} + head.count : 1;
  }
  return Outcome::kTaken;
}

bool Survey::Predicted(size_t at, Section section, Span name) const {
  if (at >= order_.size()) return false;
  const SurveyedFeature& expected = *features_[order_[at]];
  return expected.section == section && expected.name.size() == name.size &&
         std::memcmp(expected.name.data(), name.data, name.size) == 0;
}

Survey::Outcome Survey::FindFeature(Span record, Section section, Span name,
                                    uint32_t* feature) {
  // A single missing feature must not spoil the prediction of those after it.
  for (size_t ahead = 0; ahead < 2; ++ahead) {
    if (!Predicted(next_ + ahead, section, name)) continue;
    next_ += ahead;
    *feature = order_[next_++];
    return Outcome::kTaken;
  }
  const auto known = index_.find({section, TextOf(name)});
  if (known != index_.end()) {
    *feature = known->second;
  } else {
    if (!IsUtf8(name)) return Outcome::kMalformed;
    // Parts of other messages look like names with control characters.
    if (HasControls(name) && IsForeign(record)) return Outcome::kForeign;
    if (!Add(section, TextOf(name), feature)) return Outcome::kTooManyFeatures;
  }
  if (next_ < order_.size()) {
    order_[next_++] = *feature;
  } else if (next_ < kMostPredicted) {
    order_.push_back(*feature);
    ++next_;
  }
  return Outcome::kTaken;
}

bool Survey::Add(Section section, std::string_view name, uint32_t* feature) {
  const auto known = index_.find({section, name});
  if (known != index_.end()) {
    *feature = known->second;
    return true;
  }
  if (features_.size() == kMostFeatures) return false;
  *feature = static_cast<uint32_t>(features_.size());
  auto added = std::make_unique<SurveyedFeature>();
  added->section = section;
  added->name = name;
  features_.push_back(std::move(added));
  index_.emplace(Key{section, features_.back()->name}, *feature);
  return true;
}

void Survey::AddRow(Span record, size_t row, uint32_t feature) {
  const DecodedRow& head = decoder_.decoded().rows[row];
  FeatureSummary& summary = features_[feature]->summary;
  ++summary.records;
  if (head.kind != RowKind::kSteps) {
    AddValues(record, head, feature);
    return;
  }
  summary.steps.Add(head.count);
  for (size_t step = 1; step <= head.count; ++step) {
    AddValues(record, decoder_.decoded().rows[row + step], feature);
  }
}

void Survey::AddValues(Span record, const DecodedRow& row, uint32_t feature) {
  const DecodedRecord& decoded = decoder_.decoded();
  FeatureSummary& summary = features_[feature]->summary;
  const bool packed = row.kind == RowKind::kPacked;
  const auto kind = packed ? Kind::kFloat : static_cast<Kind>(row.kind);
  summary.AddFeature(static_cast<unsigned>(kind), row.count);
  switch (kind) {
    case Kind::kNone:
      break;
    case Kind::kInt64:
      if (row.count > 0) {
        summary.ints.Add(decoded.numbers.ints.data() + row.first, row.count);
      }
      break;
    case Kind::kFloat:
      for (size_t i = 0; i < row.count; ++i) {
        summary.floats.Add(
            packed ? FloatAt(record.data + row.first + sizeof(float) * i)
                   : decoded.numbers.floats[row.first + i]);
      }
      break;
    case Kind::kBytes:
      for (size_t i = row.first; i < size_t{row.first} + row.count; ++i) {
        const uint32_t offset = decoded.places[2 * i];
        const uint32_t size = decoded.places[2 * i + 1];
        if (summary.bytes.Add({record.data + offset, size}) != Picture::kNone) {
          AddPicture(feature, offset, size);
        }
      }
      break;
  }
}

void Survey::AddPicture(uint32_t feature, uint32_t offset, uint32_t size) {
  uint32_t& kept = features_[feature]->pictures;
  if (kept == kFeaturePictures || pictures_.size() == kMostPictures) return;
  pictures_.push_back({feature, static_cast<uint32_t>(records_), offset, size});
  ++kept;
}

Survey::Outcome Survey::Merge(Survey* other) {
  std::vector<uint32_t> features(other->features_.size());
  for (size_t i = 0; i < features.size(); ++i) {
    const SurveyedFeature& from = *other->features_[i];
    if (from.summary.records == 0) continue;
    if (!Add(from.section, from.name, &features[i])) {
      return Outcome::kTooManyFeatures;
    }
    features_[features[i]]->summary.Merge(from.summary);
  }
  for (PicturePlace& place : other->pictures_) {
    place.feature = features[place.feature];
  }
  records_ += other->records_;
  with_lists_ += other->with_lists_;
  return Outcome::kTaken;
}

}  // namespace tfr
