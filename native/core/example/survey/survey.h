#ifndef TFR_CORE_EXAMPLE_SURVEY_SURVEY_H_
#define TFR_CORE_EXAMPLE_SURVEY_SURVEY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/example/decode/example_decoder.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/survey/feature_summary.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// A value that starts like a picture.
struct PicturePlace {
  /// Index in `Survey::features()`.
  uint32_t feature;
  /// Number of the record in the survey.
  uint32_t record;
  /// Offset in the record.
  uint32_t offset;
  uint32_t size;
};

/// One feature or feature list of a survey.
struct SurveyedFeature {
  Section section = Section::kFeatures;
  /// UTF-8.
  std::string name;
  FeatureSummary summary;
  /// The last record that had the feature, and its entry there.
  uint64_t last_record = 0;
  size_t last_entry = 0;
  /// Places in `Survey::pictures()`.
  uint32_t pictures = 0;
};

/// Sums up what records hold, Examples and SequenceExamples alike: which
/// features, of which kinds, how many values, within which bounds. A record is
/// taken as a whole or not at all. Of several entries with one name, the last
/// one counts.
///
/// Memory: at most a few kB for each of `kMostFeatures` features. Standard
/// containers hold it, so all functions but the simple ones may throw
/// std::bad_alloc; the survey must be cleared then.
class Survey {
 public:
  /// Most features that a survey tells apart.
  static constexpr size_t kMostFeatures = 32768;

  enum class Outcome : uint8_t {
    kTaken,
    /// The record violates the wire format, or a name is not UTF-8.
    kMalformed,
    /// The record is a message of another type: it has unknown fields alone,
    /// or what it has as features are parts of that message.
    kForeign,
    /// There would be more than `kMostFeatures` features.
    kTooManyFeatures,
    kNoMemory,
  };

  Survey() : decoder_(true) {}

  void Clear();
  /// Adds one record, of less than 4 GiB.
  Outcome Take(Span record);
  /// Adds what `other` holds. Its records come after those of this survey. The
  /// places of its pictures then name the features of this survey.
  Outcome Merge(Survey* other);

  uint64_t records() const { return records_; }
  /// Number of records with the field of feature lists. The others may be
  /// Examples.
  uint64_t with_lists() const { return with_lists_; }
  /// In the order of their first appearance. Features without records were in
  /// refused records alone.
  const std::vector<std::unique_ptr<SurveyedFeature>>& features() const {
    return features_;
  }
  /// The first pictures of each feature, of the records that were taken (not
  /// merged).
  std::vector<PicturePlace>& pictures() { return pictures_; }

 private:
  using Key = std::pair<Section, std::string_view>;
  struct Entry {
    size_t row;
    uint32_t feature;
  };

  Outcome Resolve(Span record);
  Outcome FindFeature(Span record, Section section, Span name,
                      uint32_t* feature);
  bool Predicted(size_t at, Section section, Span name) const;
  /// Finds the feature, or adds it. Returns false if there are too many.
  bool Add(Section section, std::string_view name, uint32_t* feature);
  void AddRow(Span record, size_t row, uint32_t feature);
  void AddValues(Span record, const DecodedRow& row, uint32_t feature);
  void AddPicture(uint32_t feature, uint32_t offset, uint32_t size);

  ExampleDecoder decoder_;
  uint64_t records_ = 0;
  uint64_t with_lists_ = 0;
  /// Number of records seen, refused ones included.
  uint64_t seen_ = 0;
  std::vector<std::unique_ptr<SurveyedFeature>> features_;
  /// Trees, because hash tables can be attacked. The names are those of
  /// `features_`.
  std::map<Key, uint32_t> index_;
  /// The features of the previous record, which predict those of the next.
  std::vector<uint32_t> order_;
  size_t next_ = 0;
  std::vector<Entry> entries_;
  std::vector<PicturePlace> pictures_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_SURVEY_SURVEY_H_
