#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/index/index_scan.h"
#include "core/io/file_source.h"
#include "wasm/exports.h"
#include "wasm/reading.h"

namespace tfr::wasm {
namespace {

/// The object behind an IndexHandle.
struct HeldIndex {
  HeldIndex(std::string path, const ReaderSpec& spec)
      : path(std::move(path)), scan(NewFileSource(this->path), spec, nullptr) {}

  const std::string path;
  IndexScan scan;
};

/// `IndexProgress` of lib/native/binding-places.ts.
class AdvanceJob final : public Job, public IndexScan::Waiting {
 public:
  explicit AdvanceJob(HeldIndex* index) : index_(index) {}

  void Advanced() override { Settle(); }
  void Result(Report* report) override {
    IndexScan& scan = index_->scan;
    const ScanState& state = scan.state();
    report->AddPlace(state.records)
        .AddPlace(state.compressed_bytes)
        .AddPlace(state.total_bytes)
        .Add(static_cast<double>(state.compression))
        .Add(state.complete ? 1 : 0)
        .AddFault(state.halt)
        .AddPlace(scan.index().held_bytes());
    const TypedBuffer<Fault> faults = scan.TakeFaults();
    report->Add(static_cast<double>(faults.size()));
    for (const Fault& fault : faults) report->AddFault(fault);
  }

 private:
  HeldIndex* const index_;
};

}  // namespace

/// Null: the numbers are no spec.
TFR_EXPORT(tfr_index_open)
HeldIndex* tfr_index_open(const char* path, size_t size,
                          const ReaderSpecNumbers* numbers) {
  return Guarded([&]() -> HeldIndex* {
    ReaderSpec spec;
    if (!Decode(*numbers, &spec)) return nullptr;
    return new HeldIndex({path, size}, spec);
  });
}

TFR_EXPORT(tfr_index_advance)
Job* tfr_index_advance(HeldIndex* index, uint32_t milliseconds) {
  return Guarded([&]() -> Job* {
    auto* const advance = new AdvanceJob(index);
    index->scan.Advance(std::chrono::milliseconds(milliseconds), advance);
    return advance;
  });
}

/// Reports the reader and the bytes of an `IndexReader`; 0 alone if `first` is
/// not known.
TFR_EXPORT(tfr_index_reader)
const double* tfr_index_reader(const HeldIndex* index, double first,
                               double last) {
  return Guarded([&] {
    RecordIndex::Jump jump;
    if (!index->scan.index().Find(static_cast<uint64_t>(first),
                                  static_cast<uint64_t>(last), &jump)) {
      return Report::New().AddAddress(nullptr).data();
    }
    auto reader = std::make_unique<Reader>();
    reader->slabs = index->scan.NewReader(
        NewFileSource(index->path, jump.position()), jump, nullptr);
    Report& report = Report::New();
    report.AddAddress(reader.release()).AddPlace(jump.end - jump.place.offset);
    return report.data();
  });
}

TFR_EXPORT(tfr_index_close)
Job* tfr_index_close(HeldIndex* index) {
  return Guarded([&]() -> Job* {
    index->scan.Cancel();
    auto* const closing = new CloseJob();
    index->scan.Close(closing);
    return closing;
  });
}

/// The handle was collected.
TFR_EXPORT(tfr_index_free)
void tfr_index_free(HeldIndex* index) { delete index; }

}  // namespace tfr::wasm
