#ifndef TFR_TEST_SUPPORT_RANGE_FEEDING_H_
#define TFR_TEST_SUPPORT_RANGE_FEEDING_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/io/range_source.h"
#include "test/support/positioned_source.h"

namespace tfr::test {

/// Feeds a source with the ranges that it wants, as disorderly as `choose`
/// decides: late, short, twice, overlapping, out of order, and with others.
class RangeFeeder {
 public:
  /// Returns a number below the given one.
  using Choose = std::function<uint64_t(uint64_t)>;

  RangeFeeder(const std::string* file, RangeSource* source, Choose choose)
      : file_(file), source_(source), choose_(std::move(choose)) {}

  /// Feeds something, or nothing. Returns false if the source wants nothing.
  bool Feed() {
    ByteRange wants[kMostWants];
    const size_t count = source_->Wants(wants, kMostWants);
    if (count == 0) return false;
    const ByteRange& first = wants[0];
    const ByteRange& any = wants[choose_(count)];
    // The source must not wait forever.
    switch (++turns_ % 8 == 0 ? 2 : choose_(8)) {
      case 0:
        FeedRange(first);
        break;
      case 1:  // Short.
        FeedRange({first.position, 1 + choose_(first.size)});
        break;
      case 2:  // Out of order.
        for (size_t i = count; i-- > 0;) FeedRange(wants[i]);
        break;
      case 3:  // Overlapping.
        FeedRange({first.position - choose_(first.position + 1),
                   1 + choose_(2 * first.size)});
        FeedRange(first);
        break;
      case 4:  // Twice.
        FeedRange(any);
        FeedRange(any);
        break;
      case 5:  // Late.
        break;
      case 6:  // Not wanted, or beyond the end, or empty.
        FeedRange({choose_(file_->size() + 100), choose_(70000)});
        break;
      case 7:  // The end of the range is there first.
        FeedRange({any.position + any.size / 2, any.size - any.size / 2});
        break;
    }
    return true;
  }

  /// Number of bytes that were wanted and fed.
  uint64_t fed() const { return fed_; }

 private:
  static constexpr size_t kMostWants = 8;

  void FeedRange(const ByteRange& range) {
    const uint64_t from = std::min<uint64_t>(range.position, file_->size());
    const auto size =
        static_cast<size_t>(std::min(range.size, file_->size() - from));
    fed_ += size;
    if (!source_->Feed(from, Data(*file_) + from, size)) std::abort();
    if (size < range.size) source_->EndAt(file_->size());
  }

  const std::string* const file_;
  RangeSource* const source_;
  const Choose choose_;
  unsigned turns_ = 0;
  uint64_t fed_ = 0;
};

struct RangeOptions {
  bool knows_size = true;
  uint64_t most_ahead = uint64_t{1} << 20;
};

/// Reads `file` by ranges from `options.start` on, fed as `choose` decides.
inline Reading ReadRanges(const std::string& file, RangeFeeder::Choose choose,
                          size_t slab_size = 4096, ReadOptions options = {},
                          bool skip = false,
                          std::unique_ptr<Framer> framer = nullptr,
                          const RangeOptions& ranges = {},
                          uint64_t* fed = nullptr) {
  options.ahead.least_content = 1;
  auto source = std::make_unique<RangeSource>(
      ranges.knows_size ? file.size() : kUnknown, options.start.position(),
      ranges.most_ahead);
  RangeFeeder feeder(&file, source.get(), std::move(choose));
  Reading reading = ReadSource(
      std::move(source), slab_size, options, skip,
      [&] { return feeder.Feed(); }, std::move(framer));
  if (fed != nullptr) *fed = feeder.fed();
  return reading;
}

/// Returns the first field in which two faults differ; null if none does.
inline const char* Difference(const Fault& a, const Fault& b) {
  if (a.code != b.code) return "code";
  if (std::string(a.part) != b.part) return "part";
  if (std::string(a.detail) != b.detail) return "detail";
  if (a.expected != b.expected) return "expected";
  // A line that is too long is one as soon as enough of it was read.
  const bool line =
      a.code == FaultCode::kRecordTooLarge && a.part == std::string("line");
  if (!line && a.found != b.found) return "found";
  if (a.record != b.record) return "record";
  if (a.offset != b.offset) return "offset";
  if (a.compressed_offset != b.compressed_offset) return "compressed_offset";
  if (a.trailer_end != b.trailer_end) return "trailer_end";
  if (a.lost != b.lost) return "lost";
  if (a.resumes != b.resumes) return "resumes";
  if (a.resume_at != b.resume_at) return "resume_at";
  if (a.fitting != b.fitting) return "fitting";
  if (a.system_error != b.system_error) return "system_error";
  return nullptr;
}

inline const char* Difference(const std::vector<Fault>& a,
                              const std::vector<Fault>& b) {
  if (a.size() != b.size()) return "number of faults";
  for (size_t i = 0; i < a.size(); ++i) {
    if (const char* const field = Difference(a[i], b[i])) return field;
  }
  return nullptr;
}

/// The same for all results of two readings.
inline const char* Difference(const Reading& a, const Reading& b) {
  if (a.records != b.records) return "records";
  if (a.numbers != b.numbers) return "numbers";
  if (a.offsets != b.offsets) return "offsets";
  if (a.outcome != b.outcome) return "outcome";
  // Before a halt, readers read ahead by more or less.
  if (a.outcome == FillOutcome::kEnd &&
      a.compressed_bytes != b.compressed_bytes) {
    return "compressed_bytes";
  }
  if (const char* const field = Difference(a.faults, b.faults)) return field;
  if (const char* const field = Difference(a.skipped, b.skipped)) return field;
  return Difference(a.halt, b.halt);
}

}  // namespace tfr::test

#endif  // TFR_TEST_SUPPORT_RANGE_FEEDING_H_
