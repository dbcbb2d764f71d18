#include "wasm/reading.h"

#include <iterator>

#include "wasm/exports.h"
#include "wasm/report.h"

namespace tfr::wasm {

std::unique_ptr<RangeSource> NewRangeSource(double size, double most_ahead,
                                            const ReaderSpec& spec) {
  return std::make_unique<RangeSource>(
      size < 0 ? kUnknown : static_cast<uint64_t>(size), spec.start.position(),
      static_cast<uint64_t>(most_ahead));
}

void FeedRange(RangeSource* source, double position, const uint8_t* data,
               size_t size) {
  NeedMemory(Guarded([&] {
    return source->Feed(static_cast<uint64_t>(position), data, size);
  }));
}

const double* ReportWants(const RangeSource& source) {
  return Guarded([&] {
    ByteRange ranges[RangeSource::kMostWants];
    const size_t count = source.Wants(ranges, std::size(ranges));
    Report& report = Report::New();
    report.AddPlace(count);
    for (size_t i = 0; i < count; ++i) {
      report.AddPlace(ranges[i].position).AddPlace(ranges[i].size);
    }
    return report.data();
  });
}

}  // namespace tfr::wasm
