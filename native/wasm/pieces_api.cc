#include <memory>
#include <utility>

#include "core/example/flow/piece_reader.h"
#include "core/io/fed_source.h"
#include "core/io/file_source.h"
#include "wasm/exports.h"
#include "wasm/parser.h"
#include "wasm/reading.h"
#include "wasm/tasks.h"

namespace tfr::wasm {
namespace {

/// The object behind an ExamplesHandle.
struct Examples {
  std::shared_ptr<PieceReader> reader;
  Fed fed;
};

/// Settles with a piece, which then belongs to JavaScript.
class PieceJob final : public Job, public PieceReader::Request {
 public:
  PieceJob(size_t records, bool waited)
      : Request(records), piece_(std::make_unique<Piece>()), waited_(waited) {}

  void Done() override {
    done_ = true;
    if (!waited_) Settle();
  }
  void Result(Report* report) override {
    *piece_ = std::move(piece);
    report->AddAddress(piece_.release());
  }
  bool done() const { return done_; }

 private:
  /// Allocated ahead: the end must not run out of memory.
  std::unique_ptr<Piece> piece_;
  const bool waited_;
  bool done_ = false;
};

Examples* Open(std::unique_ptr<ByteSource> source, const Fed& fed,
               const ReaderSpec& spec, const Parser& parser) {
  auto examples = std::make_unique<Examples>();
  examples->reader = std::make_shared<PieceReader>(std::move(source), spec,
                                                   parser.plan, nullptr);
  examples->fed = fed;
  return examples.release();
}

}  // namespace

/// As `tfr_reader_open_file`.
TFR_EXPORT(tfr_examples_open_file)
Examples* tfr_examples_open_file(const char* path, size_t size,
                                 const ReaderSpecNumbers* numbers,
                                 const Parser* parser) {
  return Guarded([&]() -> Examples* {
    ReaderSpec spec;
    if (!DecodeSpec(*numbers, &spec)) return nullptr;
    return Open(NewFileSource({path, size}, spec.start.position()), {}, spec,
                *parser);
  });
}

/// As `tfr_reader_open_fed`.
TFR_EXPORT(tfr_examples_open_fed)
Examples* tfr_examples_open_fed(const ReaderSpecNumbers* numbers,
                                const Parser* parser) {
  return Guarded([&]() -> Examples* {
    ReaderSpec spec;
    if (!DecodeSpec(*numbers, &spec)) return nullptr;
    auto source = std::make_unique<FedSource>();
    FedSource* const fed = source.get();
    return Open(std::move(source), {fed, nullptr}, spec, *parser);
  });
}

/// As `tfr_reader_open_ranges`.
TFR_EXPORT(tfr_examples_open_ranges)
Examples* tfr_examples_open_ranges(const ReaderSpecNumbers* numbers,
                                   const Parser* parser, double size,
                                   double most_ahead) {
  return Guarded([&]() -> Examples* {
    ReaderSpec spec;
    if (!DecodeSpec(*numbers, &spec)) return nullptr;
    auto source = NewRangeSource(size, most_ahead, spec);
    RangeSource* const ranges = source.get();
    return Open(std::move(source), {nullptr, ranges}, spec, *parser);
  });
}

TFR_EXPORT(tfr_examples_feed)
void tfr_examples_feed(Examples* examples, const uint8_t* data, size_t size,
                       bool last) {
  NeedMemory(
      Guarded([&] { return examples->fed.stream->Feed(data, size, last); }));
}

TFR_EXPORT(tfr_examples_feed_range)
void tfr_examples_feed_range(Examples* examples, double position,
                             const uint8_t* data, size_t size) {
  FeedRange(examples->fed.ranges, position, data, size);
}

TFR_EXPORT(tfr_examples_end_at)
void tfr_examples_end_at(Examples* examples, double position) {
  examples->fed.ranges->EndAt(static_cast<uint64_t>(position));
}

TFR_EXPORT(tfr_examples_wants)
const double* tfr_examples_wants(const Examples* examples) {
  return ReportWants(*examples->fed.ranges);
}

TFR_EXPORT(tfr_examples_next)
Job* tfr_examples_next(Examples* examples, size_t records) {
  return Guarded([&]() -> Job* {
    auto* const begun = new PieceJob(records, false);
    examples->reader->Submit(begun);
    return begun;
  });
}

/// As `tfr_examples_next`, but the job is done.
TFR_EXPORT(tfr_examples_next_now)
Job* tfr_examples_next_now(Examples* examples, size_t records) {
  return Guarded([&]() -> Job* {
    auto job = std::make_unique<PieceJob>(records, true);
    examples->reader->Submit(job.get());
    while (!job->done()) RunTask();
    return job.release();
  });
}

TFR_EXPORT(tfr_examples_skip)
void tfr_examples_skip(Examples* examples) { examples->reader->Skip(); }

TFR_EXPORT(tfr_examples_close)
Job* tfr_examples_close(Examples* examples) {
  return Guarded([&]() -> Job* {
    examples->reader->Cancel();
    auto* const closing = new CloseJob();
    examples->reader->Close(closing);
    return closing;
  });
}

/// The handle was collected. Its pieces must have been dropped.
TFR_EXPORT(tfr_examples_free)
void tfr_examples_free(Examples* examples) {
  examples->reader->Cancel();
  delete examples;
}

/// Reports the numbers of `PieceField`, the faults, and the halt.
TFR_EXPORT(tfr_piece_report)
const double* tfr_piece_report(const Piece* piece) {
  return Guarded([&] {
    Report& report = Report::New();
    report.AddPlace(piece->parser == nullptr ? 0 : piece->parser->rows())
        .AddPlace(piece->lengths.size())
        .AddPlace(piece->payload)
        .AddPlace(piece->first_record)
        .AddPlace(piece->offset)
        .Add(static_cast<double>(piece->first_type))
        .Add(static_cast<double>(piece->outcome))
        .Add(static_cast<double>(piece->compression))
        .AddPlace(piece->compressed_bytes)
        .AddPlace(piece->total_bytes)
        .AddFault(piece->halt)
        .Add(static_cast<double>(piece->faults.size()));
    for (const RowFault& fault : piece->faults) {
      report.Add(static_cast<double>(fault.index))
          .AddFault(fault.data)
          .AddParseFault(fault.parse, fault.index);
    }
    return report.data();
  });
}

TFR_EXPORT(tfr_piece_lengths)
const uint32_t* tfr_piece_lengths(const Piece* piece) {
  return piece->lengths.data();
}

/// Its columns, for columns_api.cc; null if it has none.
TFR_EXPORT(tfr_piece_batch)
const BatchParser* tfr_piece_batch(const Piece* piece) {
  return piece->parser.get();
}

/// `examples`: the reader that may use its memory again; null after its end.
TFR_EXPORT(tfr_piece_drop)
void tfr_piece_drop(Examples* examples, Piece* piece) {
  const std::unique_ptr<Piece> owned(piece);
  if (examples != nullptr) examples->reader->Recycle(piece);
}

}  // namespace tfr::wasm
