#include "duckdb/extension/sample_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/base/buffers.h"
#include "core/crc32c/record_format.h"
#include "core/example/survey/survey.h"
#include "core/example/type/record_type.h"
#include "core/io/file_source.h"
#include "core/record/slab_reader.h"
#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

constexpr uint64_t kSampleRecords = 1000;
constexpr uint64_t kSampleBytes = uint64_t{16} << 20U;
constexpr size_t kSlabBytes = size_t{256} << 10U;

/// JavaScript's order of strings, which compares units of UTF-16: characters of
/// two units come before U+E000.
bool IsBefore(const std::string& a, const std::string& b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (x == a.end() || y == b.end()) return y != b.end();
  const auto left = static_cast<uint8_t>(*x);
  const auto right = static_cast<uint8_t>(*y);
  constexpr uint8_t kPrivate = 0xee;
  constexpr uint8_t kTwoUnits = 0xf0;
  if (left >= kPrivate && right >= kPrivate &&
      (left >= kTwoUnits) != (right >= kTwoUnits)) {
    return left >= kTwoUnits;
  }
  return left < right;
}

bool HasSeveralKinds(const FeatureSummary& summary) {
  const uint64_t* const features = summary.features;
  return std::count_if(features + 1, features + 4,
                       [](uint64_t count) { return count > 0; }) > 1;
}

DType DTypeOf(const FeatureSummary& summary) {
  if (summary.features[static_cast<int>(Kind::kInt64)] > 0) {
    return DType::kInt64;
  }
  if (summary.features[static_cast<int>(Kind::kFloat)] > 0) {
    return DType::kFloat32;
  }
  const BytesSummary& bytes = summary.bytes;
  return bytes.binary + bytes.control == 0 ? DType::kText : DType::kBytes;
}

class Sample {
 public:
  explicit Sample(const Settings& settings)
      : settings_(settings), skips_(settings.on_error != OnError::kThrow) {
    if (!slab_.Reserve(kSlabBytes)) throw std::bad_alloc();
  }

  void Read(const std::vector<FoundFile>& files) {
    for (const FoundFile& file : files) {
      if (full_) return;
      if (file.error) {
        Refuse(*file.error);
      } else {
        ReadFile(file);
      }
    }
  }

  Table table() const {
    Table table;
    for (const Section section : {Section::kFeatures, Section::kLists}) {
      const size_t first = table.columns.size();
      for (const auto& feature : survey_.features()) {
        if (feature->section != section || feature->summary.records == 0) {
          continue;
        }
        table.sequence = section == Section::kLists;
        AddColumn(*feature, &table);
      }
      std::sort(table.columns.begin() + static_cast<std::ptrdiff_t>(first),
                table.columns.end(),
                [](const TableColumn& a, const TableColumn& b) {
                  return IsBefore(a.key, b.key);
                });
    }
    NameColumns(&table);
    return table;
  }

 private:
  static void AddColumn(const SurveyedFeature& feature, Table* table) {
    const FeatureSummary& summary = feature.summary;
    const Extent& counts = summary.counts;
    // The feature never had a type.
    if (counts.min > counts.max) return;
    TableColumn column;
    column.key = feature.name;
    column.section = feature.section;
    column.dtype = DTypeOf(summary);
    if (counts.min == 1 && counts.max == 1) column.shape = Shape();
    table->columns.push_back(std::move(column));
  }

  void ReadFile(const FoundFile& file) {
    const auto reader = NewSlabReader(NewFileSource(file.path),
                                      SpecOf(settings_, skips_), nullptr);
    while (!full_) {
      SlabFill fill;
      if (!reader->FillNow(slab_.data(), slab_.capacity(), &fill)) return;
      TakeRecords(fill, file);
      if (full_ || fill.outcome == FillOutcome::kMore) continue;
      if (fill.outcome == FillOutcome::kGrow) {
        if (!slab_.Reserve(static_cast<size_t>(fill.grow_to))) {
          throw std::bad_alloc();
        }
        continue;
      }
      if (fill.outcome != FillOutcome::kHalt) return;
      Refuse(DamageError(fill.halt, file.name));
      if (!IsSkippable(fill.halt)) return;
      reader->Skip();
    }
  }

  void TakeRecords(const SlabFill& fill, const FoundFile& file) {
    size_t fault = 0;
    for (size_t i = 0; i < fill.frames.size() && !full_; ++i) {
      const Frame& frame = fill.frames[i];
      const uint64_t record = fill.first_record + i;
      const bool damaged =
          fault < fill.faults.size() && fill.faults[fault].record == record;
      if (damaged) {
        Refuse(DamageError(fill.faults[fault++], file.name));
        continue;
      }
      const uint64_t offset = fill.base + frame.offset - kHeaderSize;
      TakeRecord({slab_.data() + frame.offset, frame.length},
                 {file.name, record, offset});
    }
  }

  void TakeRecord(Span record, const RecordPlace& place) {
    switch (survey_.Take(record)) {
      case Survey::Outcome::kTaken:
        break;
      case Survey::Outcome::kMalformed:
        return Refuse(
            {"TFR_EXAMPLE", TextOf(place) + " is not an Example: malformed"});
      case Survey::Outcome::kForeign:
        return Refuse(TypeError(NameOf(RecordTypeOf(record)), place, false));
      case Survey::Outcome::kTooManyFeatures:
        throw QueryError("TFR_SPEC", TextOf(place) +
                                         ": too many features, a spec can "
                                         "name those to read");
      case Survey::Outcome::kNoMemory:
        throw std::bad_alloc();
    }
    CheckKinds(place);
    bytes_ += record.size;
    full_ = ++records_ == kSampleRecords || bytes_ >= kSampleBytes;
  }

  void CheckKinds(const RecordPlace& place) const {
    for (const auto& feature : survey_.features()) {
      if (!HasSeveralKinds(feature->summary)) continue;
      throw QueryError("TFR_FEATURE",
                       TextOf(place) + ". Feature " + Quoted(feature->name) +
                           " has values of two types. A spec without it reads "
                           "the others");
    }
  }

  /// Skips the error, or ends the sample. The query, too, will find it, after
  /// the records before it.
  void Refuse(const FileError& error) {
    if (skips_) return;
    if (records_ == 0) throw QueryError(error.line());
    full_ = true;
  }

  const Settings& settings_;
  const bool skips_;
  ByteBuffer slab_;
  Survey survey_;
  uint64_t records_ = 0;
  uint64_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace

Table SampleTable(const std::vector<FoundFile>& files,
                  const Settings& settings) {
  Sample sample(settings);
  sample.Read(files);
  return sample.table();
}

}  // namespace tfr::duckdb
