#include <memory>
#include <utility>

#include "core/io/fed_source.h"
#include "core/io/file_source.h"
#include "wasm/exports.h"
#include "wasm/reading.h"

namespace tfr::wasm {
namespace {

/// `SlabFill` of lib/native/binding.ts. JavaScript reads the frames and the
/// slab in place.
void WriteFill(const SlabFill& fill, const uint8_t* slab, Report* report) {
  report->AddAddress(slab)
      .Add(static_cast<double>(fill.outcome))
      .AddAddress(fill.frames.data())
      .Add(static_cast<double>(fill.frames.size()))
      .AddPlace(fill.first_record)
      .AddPlace(fill.base)
      .AddPlace(fill.grow_to)
      .AddPlace(fill.compressed_bytes)
      .Add(static_cast<double>(fill.compression))
      .AddPlace(fill.total_bytes)
      .AddFault(fill.halt)
      .Add(static_cast<double>(fill.faults.size()));
  for (const Fault& fault : fill.faults) report->AddFault(fault);
}

class FillJob final : public Job, public SlabReader::Request {
 public:
  void Completed() override { Settle(); }
  void Result(Report* report) override {
    WriteFill(fill, slab_.data(), report);
  }

  [[nodiscard]] bool Reserve(size_t bytes) {
    if (!slab_.Reserve(bytes)) return false;
    Request::slab = slab_.data();
    size = bytes;
    return true;
  }

 private:
  ByteBuffer slab_;
};

Reader* Open(std::unique_ptr<ByteSource> source, const Fed& fed,
             const ReaderSpec& spec) {
  auto reader = std::make_unique<Reader>();
  reader->slabs = NewSlabReader(std::move(source), spec, nullptr);
  reader->fed = fed;
  return reader.release();
}

}  // namespace

/// Makes a reader of the file at `path`. Null: the numbers are no spec.
TFR_EXPORT(tfr_reader_open_file)
Reader* tfr_reader_open_file(const char* path, size_t size,
                             const ReaderSpecNumbers* numbers) {
  return Guarded([&]() -> Reader* {
    ReaderSpec spec;
    if (!DecodeSpec(*numbers, &spec)) return nullptr;
    return Open(NewFileSource({path, size}, spec.start.position()), {}, spec);
  });
}

/// Makes a reader of bytes that come through `tfr_reader_feed`. Null: the
/// numbers are no spec.
TFR_EXPORT(tfr_reader_open_fed)
Reader* tfr_reader_open_fed(const ReaderSpecNumbers* numbers) {
  return Guarded([&]() -> Reader* {
    ReaderSpec spec;
    if (!DecodeSpec(*numbers, &spec)) return nullptr;
    auto source = std::make_unique<FedSource>();
    FedSource* const fed = source.get();
    return Open(std::move(source), {fed, nullptr}, spec);
  });
}

/// Makes a reader of bytes that come through `tfr_reader_feed_range`. `size` is
/// negative if it is unknown. Null: the numbers are no spec.
TFR_EXPORT(tfr_reader_open_ranges)
Reader* tfr_reader_open_ranges(const ReaderSpecNumbers* numbers, double size,
                               double most_ahead) {
  return Guarded([&]() -> Reader* {
    ReaderSpec spec;
    if (!DecodeSpec(*numbers, &spec)) return nullptr;
    auto source = NewRangeSource(size, most_ahead, spec);
    RangeSource* const ranges = source.get();
    return Open(std::move(source), {nullptr, ranges}, spec);
  });
}

TFR_EXPORT(tfr_reader_feed)
void tfr_reader_feed(Reader* reader, const uint8_t* data, size_t size,
                     bool last) {
  NeedMemory(
      Guarded([&] { return reader->fed.stream->Feed(data, size, last); }));
}

TFR_EXPORT(tfr_reader_feed_range)
void tfr_reader_feed_range(Reader* reader, double position, const uint8_t* data,
                           size_t size) {
  FeedRange(reader->fed.ranges, position, data, size);
}

TFR_EXPORT(tfr_reader_end_at)
void tfr_reader_end_at(Reader* reader, double position) {
  reader->fed.ranges->EndAt(static_cast<uint64_t>(position));
}

TFR_EXPORT(tfr_reader_wants)
const double* tfr_reader_wants(const Reader* reader) {
  return ReportWants(*reader->fed.ranges);
}

/// Begins to fill a slab of `size` bytes.
TFR_EXPORT(tfr_reader_fill)
Job* tfr_reader_fill(Reader* reader, size_t size) {
  return Guarded([&]() -> Job* {
    auto job = std::make_unique<FillJob>();
    NeedMemory(job->Reserve(size));
    reader->slabs->Fill(job.get());
    return job.release();
  });
}

/// Fills a slab at once. The result is that of `tfr_job_result`; the job must
/// be freed.
TFR_EXPORT(tfr_reader_fill_now)
Job* tfr_reader_fill_now(Reader* reader, size_t size) {
  return Guarded([&]() -> Job* {
    auto job = std::make_unique<FillJob>();
    NeedMemory(job->Reserve(size));
    SlabReader::Request& request = *job;
    if (!reader->slabs->FillNow(request.slab, size, &job->fill)) return nullptr;
    return job.release();
  });
}

TFR_EXPORT(tfr_reader_skip)
void tfr_reader_skip(Reader* reader) { reader->slabs->Skip(); }

TFR_EXPORT(tfr_reader_close)
Job* tfr_reader_close(Reader* reader) {
  return Guarded([&]() -> Job* {
    reader->slabs->Cancel();
    auto* const closing = new CloseJob();
    reader->slabs->Close(closing);
    return closing;
  });
}

/// The handle was collected.
TFR_EXPORT(tfr_reader_free)
void tfr_reader_free(Reader* reader) {
  reader->slabs->Cancel();
  delete reader;
}

}  // namespace tfr::wasm
