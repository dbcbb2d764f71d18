#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/io/file_source.h"
#include "core/places/places_scan.h"
#include "wasm/exports.h"
#include "wasm/reading.h"

namespace tfr::wasm {
namespace {

/// The object behind a PlacesHandle.
struct Places {
  Places(std::string path, const ReadOptions& options)
      : path(std::move(path)),
        scan(NewFileSource(this->path), options, nullptr) {}

  const std::string path;
  PlacesScan scan;
};

/// `PlacesFound` of lib/native/binding-places.ts.
class AdvanceJob final : public Job, public PlacesScan::Waiting {
 public:
  explicit AdvanceJob(Places* places) : places_(places) {}

  void Advanced() override { Settle(); }
  void Result(Report* report) override {
    PlacesScan& scan = places_->scan;
    const ScanState& state = scan.state();
    report->AddPlace(state.records)
        .AddPlace(state.compressed_bytes)
        .AddPlace(state.total_bytes)
        .Add(static_cast<double>(state.compression))
        .Add(state.complete ? 1 : 0)
        .AddFault(state.halt)
        .AddPlace(scan.places().held_bytes());
    const TypedBuffer<Fault> faults = scan.TakeFaults();
    report->Add(static_cast<double>(faults.size()));
    for (const Fault& fault : faults) report->AddFault(fault);
  }

 private:
  Places* const places_;
};

}  // namespace

TFR_EXPORT(tfr_places_open)
Places* tfr_places_open(const char* path, size_t size, uint32_t compression,
                        uint32_t verify, double limit) {
  return Guarded([&] {
    return new Places({path, size},
                      OptionsOf(compression, verify, limit, false, false));
  });
}

TFR_EXPORT(tfr_places_advance)
Job* tfr_places_advance(Places* places, uint32_t milliseconds) {
  return Guarded([&]() -> Job* {
    auto* const advance = new AdvanceJob(places);
    places->scan.Advance(std::chrono::milliseconds(milliseconds), advance);
    return advance;
  });
}

/// Reports the reader and the bytes of a `PlacesReader`; 0 alone if `first` is
/// not known.
TFR_EXPORT(tfr_places_reader)
const double* tfr_places_reader(const Places* places, double first,
                                double last) {
  return Guarded([&] {
    RecordPlaces::Jump jump;
    if (!places->scan.places().Find(static_cast<uint64_t>(first),
                                    static_cast<uint64_t>(last), &jump)) {
      return Report::New().AddAddress(nullptr).data();
    }
    auto reader = std::make_unique<Reader>();
    reader->slabs = places->scan.NewReader(
        NewFileSource(places->path, jump.position()), jump, nullptr);
    Report& report = Report::New();
    report.AddAddress(reader.release()).AddPlace(jump.end - jump.place.offset);
    return report.data();
  });
}

TFR_EXPORT(tfr_places_close)
Job* tfr_places_close(Places* places) {
  return Guarded([&]() -> Job* {
    places->scan.Cancel();
    auto* const closing = new CloseJob();
    places->scan.Close(closing);
    return closing;
  });
}

/// The handle was collected.
TFR_EXPORT(tfr_places_free)
void tfr_places_free(Places* places) { delete places; }

}  // namespace tfr::wasm
