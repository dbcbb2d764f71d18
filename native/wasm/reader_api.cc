#include <memory>
#include <string>
#include <utility>

#include "core/io/fed_source.h"
#include "core/io/file_source.h"
#include "core/record/fixed_framer.h"
#include "core/record/line_framers.h"
#include "core/record/tfrecord_framer.h"
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

/// `Framing` of lib/record/read/framing.ts: a kind, then its settings.
struct Framing {
  enum Kind : uint8_t { kRecords = 0, kLines = 1, kCsv = 2, kFixed = 3 };

  uint64_t At(size_t index) const {
    return static_cast<uint64_t>(numbers[index]);
  }

  std::unique_ptr<Framer> NewFramer(const ReadOptions& options) const {
    switch (static_cast<int>(numbers[0])) {
      case kLines:
        return NewLineFramer(options.max_record_bytes);
      case kCsv:
        return NewCsvFramer(static_cast<uint8_t>(numbers[1]),
                            options.max_record_bytes);
      case kFixed:
        return NewFixedFramer({At(1), At(2), At(3), At(4)},
                              {options.first_offset, options.first_record});
      default:
        return NewTfrecordFramer(options);
    }
  }

  double numbers[5];
};

Reader* Open(std::unique_ptr<ByteSource> source, FedSource* fed,
             const Framing& framing, ReadOptions options) {
  if (static_cast<int>(framing.numbers[0]) != Framing::kRecords) {
    options.content = ContentRule::kBytes;
    if (options.first_offset > 0) options.compression = Compression::kNone;
  }
  auto reader = std::make_unique<Reader>();
  reader->slabs = std::make_shared<SlabReader>(
      std::move(source), framing.NewFramer(options), options, nullptr);
  reader->fed = fed;
  return reader.release();
}

}  // namespace

TFR_EXPORT(tfr_reader_open_file)
Reader* tfr_reader_open_file(const char* path, size_t size,
                             uint32_t compression, uint32_t verify,
                             double limit, double first_offset,
                             double first_record, bool goes_on,
                             bool counts_lost, bool members_ahead,
                             const Framing* framing) {
  return Guarded([&] {
    ReadOptions options =
        OptionsOf(compression, verify, limit, goes_on, counts_lost);
    options.first_offset = static_cast<uint64_t>(first_offset);
    options.first_record = static_cast<uint64_t>(first_record);
    if (!members_ahead) options.ahead.most_content = 0;
    return Open(NewFileSource({path, size}, options.first_offset), nullptr,
                *framing, options);
  });
}

TFR_EXPORT(tfr_reader_open_fed)
Reader* tfr_reader_open_fed(uint32_t compression, uint32_t verify, double limit,
                            bool goes_on, bool counts_lost,
                            const Framing* framing) {
  return Guarded([&] {
    auto source = std::make_unique<FedSource>();
    FedSource* const fed = source.get();
    return Open(std::move(source), fed, *framing,
                OptionsOf(compression, verify, limit, goes_on, counts_lost));
  });
}

TFR_EXPORT(tfr_reader_feed)
void tfr_reader_feed(Reader* reader, const uint8_t* data, size_t size,
                     bool last) {
  NeedMemory(Guarded([&] { return reader->fed->Feed(data, size, last); }));
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

TFR_EXPORT(tfr_reader_pass_over)
void tfr_reader_pass_over(Reader* reader) { reader->slabs->PassOver(); }

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
