#include "duckdb/sample.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "core/base/buffers.h"
#include "core/crc32c/record_format.h"
#include "core/io/file_source.h"
#include "core/record/slab_reader.h"

namespace tfr::duckdb {
namespace {

/// As in lib/sql/sample-table.ts.
constexpr uint64_t kSampleRecords = 1000;
constexpr uint64_t kSampleBytes = uint64_t{16} << 20U;

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

Kind KindOf(const FeatureSummary& summary) {
  for (const Kind kind : {Kind::kInt64, Kind::kFloat}) {
    if (summary.features[static_cast<int>(kind)] > 0) return kind;
  }
  return Kind::kBytes;
}

class Sampler {
 public:
  using Judge = std::function<Verdict(const SampleFault&)>;

  explicit Sampler(const Judge& judge) : judge_(judge) {
    if (!slab_.Reserve(SlabStream::kNativeSlab)) throw std::bad_alloc();
  }

  void Read(const std::vector<File>& files) {
    for (size_t i = 0; i < files.size() && !ended_; ++i) {
      file_ = i;
      if (files[i].refused) {
        (void)Ask(SampleFault());
      } else {
        ReadFile(files[i]);
      }
    }
  }

  Sample sample() const {
    Sample sample;
    for (const Section section : {Section::kFeatures, Section::kLists}) {
      const size_t first = sample.columns.size();
      for (const auto& feature : survey_.features()) {
        const FeatureSummary& summary = feature->summary;
        if (feature->section != section || summary.records == 0) continue;
        sample.sequence = section == Section::kLists;
        const Extent& counts = summary.counts;
        // The feature never had a type.
        if (counts.min > counts.max) continue;
        const Kind kind = KindOf(summary);
        const bool text = kind == Kind::kBytes && summary.bytes.binary == 0 &&
                          summary.bytes.control == 0;
        const bool single = counts.min == 1 && counts.max == 1;
        sample.columns.push_back({feature->name, section, kind, text, single});
      }
      std::sort(sample.columns.begin() + static_cast<std::ptrdiff_t>(first),
                sample.columns.end(),
                [](const SampledColumn& a, const SampledColumn& b) {
                  return IsBefore(a.key, b.key);
                });
    }
    return sample;
  }

 private:
  Verdict Ask(SampleFault fault) {
    fault.file = file_;
    fault.taken = survey_.records();
    const Verdict verdict = judge_(fault);
    if (verdict == Verdict::kStop || verdict == Verdict::kError) ended_ = true;
    return verdict;
  }

  void ReadFile(const File& file) {
    const auto reader =
        NewSlabReader(NewFileSource(file.path, file.spec.start.position()),
                      file.spec, nullptr);
    while (!ended_) {
      SlabFill fill;
      if (!reader->FillNow(slab_.data(), slab_.capacity(), &fill)) return;
      TakeRecords(fill);
      if (ended_ || fill.outcome == FillOutcome::kMore) continue;
      if (fill.outcome == FillOutcome::kGrow) {
        if (!slab_.Reserve(static_cast<size_t>(fill.grow_to))) {
          throw std::bad_alloc();
        }
        continue;
      }
      if (fill.outcome != FillOutcome::kHalt) return;
      SampleFault fault;
      fault.kind = SampleFault::kHalt;
      fault.damage = &fill.halt;
      if (Ask(fault) != Verdict::kSkip) return;
      reader->Skip();
    }
  }

  void TakeRecords(const SlabFill& fill) {
    size_t next = 0;
    for (size_t i = 0; i < fill.frames.size() && !ended_; ++i) {
      const Frame& frame = fill.frames[i];
      SampleFault fault;
      fault.record = fill.first_record + i;
      if (next < fill.faults.size() &&
          fill.faults[next].record == fault.record) {
        fault.kind = SampleFault::kDamage;
        fault.damage = &fill.faults[next++];
        (void)Ask(fault);
        continue;
      }
      fault.offset = fill.base + frame.offset - kHeaderSize;
      fault.bytes = {slab_.data() + frame.offset, frame.length};
      TakeRecord(fault);
    }
  }

  /// `fault`: the place of the record, for its faults.
  void TakeRecord(SampleFault fault) {
    fault.outcome = survey_.Take(fault.bytes);
    if (fault.outcome == Survey::Outcome::kNoMemory) throw std::bad_alloc();
    if (fault.outcome != Survey::Outcome::kTaken) {
      fault.kind = SampleFault::kRecord;
      (void)Ask(fault);
      return;
    }
    for (const auto& feature : survey_.features()) {
      if (!HasSeveralKinds(feature->summary)) continue;
      fault.kind = SampleFault::kMixed;
      fault.feature = feature.get();
      (void)Ask(fault);
      ended_ = true;
      return;
    }
    bytes_ += fault.bytes.size;
    if (survey_.records() == kSampleRecords || bytes_ >= kSampleBytes) {
      ended_ = true;
    }
  }

  const Judge& judge_;
  ByteBuffer slab_;
  Survey survey_;
  size_t file_ = 0;
  uint64_t bytes_ = 0;
  bool ended_ = false;
};

}  // namespace

Sample TakeSample(const std::vector<File>& files,
                  const std::function<Verdict(const SampleFault&)>& judge) {
  Sampler sampler(judge);
  sampler.Read(files);
  return sampler.sample();
}

}  // namespace tfr::duckdb
