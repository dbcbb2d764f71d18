#ifndef TFR_DUCKDB_SAMPLE_H_
#define TFR_DUCKDB_SAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/fault.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/survey/survey.h"
#include "core/example/wire/wire.h"
#include "duckdb/host.h"

/// The features in the first records of a query's files, which are the columns
/// of a query without a spec.
namespace tfr::duckdb {

struct SampledColumn {
  /// UTF-8.
  std::string key;
  Section section = Section::kFeatures;
  Kind kind = Kind::kBytes;
  /// All values are UTF-8 without control characters other than tabs and line
  /// ends.
  bool text = false;
  /// Each record, or step, had exactly one value.
  bool single = false;
};

struct Sample {
  /// The features before the feature lists, each in JavaScript's order of
  /// names. Features that never had a type are left out.
  std::vector<SampledColumn> columns;
  /// There are feature lists.
  bool sequence = false;
};

/// Something in the files about which the owner of a sample decides. Fields
/// that do not apply are 0 or null.
struct SampleFault {
  enum Kind : uint8_t {
    kRefused,  ///< The turn of a refused file.
    kDamage,   ///< `damage`: of a record.
    kHalt,     ///< `damage`: reading cannot simply go on.
    kRecord,   ///< `outcome`: the survey does not take the record.
    kMixed,    ///< `feature` has values of two types, the last in the record.
  };
  Kind kind = kRefused;
  size_t file = 0;
  /// Number of records in the sample before it.
  uint64_t taken = 0;
  const Fault* damage = nullptr;
  Survey::Outcome outcome = Survey::Outcome::kTaken;
  const SurveyedFeature* feature = nullptr;
  /// The record, its number, and the offset of its header in the content.
  Span bytes;
  uint64_t record = 0;
  uint64_t offset = 0;
};

/// Reads the first 1,000 records, or 16 MiB, of `files`. `judge` decides about
/// faults: kStop and kError end the sample before the fault, and so does a
/// feature of two types, whatever the verdict. Throws std::bad_alloc, and
/// what `judge` throws.
Sample TakeSample(const std::vector<File>& files,
                  const std::function<Verdict(const SampleFault&)>& judge);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_SAMPLE_H_
