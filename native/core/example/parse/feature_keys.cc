#include "core/example/parse/feature_keys.h"

#include <algorithm>
#include <cstring>

#include "core/example/parse/feature_walk.h"

namespace tfr {
namespace {

ColumnPlan ColumnOf(const std::string& feature) {
  ColumnPlan column;
  column.key = feature;
  return column;
}

/// The places of bytes values; see feature_values.h. Throws std::bad_alloc.
class BytesPlaces {
 public:
  static constexpr Kind kKind = Kind::kBytes;
  static constexpr uint32_t kTag = LengthTag(1);

  explicit BytesPlaces(std::vector<Span>* places) : places_(places) {}

  size_t Size() const { return places_->size(); }
  void Truncate(size_t size) { places_->resize(size); }
  Taken Packed(Span value, const uint8_t*) {
    places_->push_back(value);
    return Taken::kValues;
  }
  Taken Field(uint32_t tag, WireReader* reader, const uint8_t* limit) {
    return TakeBytesField(tag, reader, limit, this);
  }

 private:
  std::vector<Span>* const places_;
};

}  // namespace

FeatureKeys::FeatureKeys(const std::string& feature)
    : plan_({ColumnOf(feature)}, true, false), locator_(plan_) {}

FeatureKeys::Outcome FeatureKeys::Take(Span record) {
  keys_.clear();
  locator_.Restart();
  Span feature;
  switch (locator_.Locate(record, &feature, 1)) {
    case Locator::Outcome::kFound:
      break;
    case Locator::Outcome::kNoMemory:
      return Outcome::kNoMemory;
    default:
      return Outcome::kMalformed;
  }
  if (feature.data == nullptr) return Outcome::kTaken;
  BytesPlaces places(&keys_);
  const FeatureResult result =
      TakeFeature(feature, Depth::kValue, record.end(), &places);
  if (result.taken != Taken::kValues) return Outcome::kMalformed;
  if (result.kind == Kind::kBytes) return Outcome::kTaken;
  keys_.clear();
  if (result.kind == Kind::kFloat) return Outcome::kFloats;
  return result.kind == Kind::kInt64 ? TakeInts(feature, record)
                                     : Outcome::kTaken;
}

bool FeatureKeys::Has(Span key) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](Span each) {
    return each.size == key.size &&
           (key.size == 0 || std::memcmp(each.data, key.data, key.size) == 0);
  });
}

FeatureKeys::Outcome FeatureKeys::TakeInts(Span feature, Span record) {
  ints_.ints.Truncate(0);
  IntValues values(&ints_);
  const FeatureResult result =
      TakeFeature(feature, Depth::kValue, record.end(), &values);
  if (result.taken == Taken::kNoMemory) return Outcome::kNoMemory;
  if (result.taken != Taken::kValues) return Outcome::kMalformed;
  digits_.clear();
  std::vector<size_t> ends;
  for (const int64_t value : ints_.ints) {
    digits_ += std::to_string(value);
    ends.push_back(digits_.size());
  }
  size_t begin = 0;
  for (const size_t end : ends) {
    keys_.push_back({reinterpret_cast<const uint8_t*>(digits_.data()) + begin,
                     end - begin});
    begin = end;
  }
  return Outcome::kTaken;
}

}  // namespace tfr
