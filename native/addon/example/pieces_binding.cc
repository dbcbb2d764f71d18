#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/example/columns_value.h"
#include "addon/example/parser.h"
#include "addon/reading.h"
#include "core/example/flow/piece_reader.h"
#include "core/example/flow/waited_pieces.h"
#include "core/io/fed_source.h"
#include "core/io/file_source.h"

namespace tfr::addon {
namespace {

Napi::Value RowFaultValue(Napi::Env env, const RowFault& fault) {
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("index", Napi::Number::New(env, static_cast<double>(fault.index))),
      Field("data", FaultValue(env, fault.data)),
      Field("parse", fault.parse
                         ? ParseFaultValue(env, fault.parse, fault.index)
                         : env.Undefined()),
  });
  return object;
}

/// Writes the fields of `PieceField`, in order. Throws for an unsuitable array.
void WriteReport(const Piece& piece, const Napi::Value& report) {
  constexpr const char* kWrong = "tfrecord: not a report";
  constexpr size_t kFields = 10;
  const ArrayMemory to = GetArray(report, napi_float64_array, kWrong);
  if (to.length != kFields) throw Napi::TypeError::New(report.Env(), kWrong);
  const size_t rows = piece.parser == nullptr ? 0 : piece.parser->rows();
  const uint64_t numbers[kFields] = {rows,
                                     piece.lengths.size(),
                                     piece.payload,
                                     piece.first_record,
                                     piece.offset,
                                     static_cast<uint64_t>(piece.first_type),
                                     static_cast<uint64_t>(piece.outcome),
                                     static_cast<uint64_t>(piece.compression),
                                     piece.compressed_bytes,
                                     piece.total_bytes};
  auto* const out = static_cast<double*>(to.data);
  for (size_t i = 0; i < kFields; ++i) {
    out[i] = numbers[i] == kUnknown ? -1 : static_cast<double>(numbers[i]);
  }
}

/// Returns `PieceFaults`; undefined if there are none.
Napi::Value PieceFaultsValue(Napi::Env env, const Piece& piece) {
  if (piece.faults.empty() && !piece.halt) return env.Undefined();
  Napi::Array faults = Napi::Array::New(env, piece.faults.size());
  for (size_t i = 0; i < piece.faults.size(); ++i) {
    faults.DefineProperty(Element(env, i, RowFaultValue(env, piece.faults[i])));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties(
      {Field("rows", faults), Field("halt", FaultValue(env, piece.halt))});
  return object;
}

/// Copies the size of each record. Throws for an array of another length.
void CopyLengths(const Piece& piece, const Napi::Value& lengths) {
  constexpr const char* kWrong = "tfrecord: not the lengths of this piece";
  const ArrayMemory to = GetArray(lengths, napi_uint32_array, kWrong);
  const std::vector<uint32_t>& from = piece.lengths;
  if (to.length != from.size()) {
    throw Napi::TypeError::New(lengths.Env(), kWrong);
  }
  std::copy(from.begin(), from.end(), static_cast<uint32_t*>(to.data));
}

/// Returns the rows from `from` to `to`. Throws if the piece does not have
/// them.
Range RowsOfPiece(const Piece& piece, const Napi::Value& from,
                  const Napi::Value& to) {
  const Range rows = {from.As<Napi::Number>().Uint32Value(),
                      to.As<Napi::Number>().Uint32Value()};
  if (piece.parser != nullptr && rows.begin <= rows.end &&
      rows.end <= piece.parser->rows()) {
    return rows;
  }
  throw Napi::RangeError::New(from.Env(), "tfrecord: not rows of this piece");
}

/// The reader behind a handle, and the pieces it delivered.
class Examples {
 public:
  static constexpr napi_type_tag kTag = {0x5b0c1f7e2d394a86,
                                         0xb1c2d3e4f5061728};

  explicit Examples(const Fed& fed) : fed(fed) {}
  ~Examples() {
    if (!waited.empty()) reader->Cancel();
  }

  std::shared_ptr<PieceReader> reader;
  WaitedPieces waited;
  const Fed fed;

  /// Reserves memory so that `Keep` cannot fail for one more piece.
  void Expect() { kept_.reserve(kept_.size() + ++expected_); }
  /// Stores an expected piece for JavaScript. Returns its number.
  size_t Keep(std::unique_ptr<Piece> piece) {
    --expected_;
    const auto free = std::find(kept_.begin(), kept_.end(), nullptr);
    if (free == kept_.end()) {
      kept_.push_back(std::move(piece));
      return kept_.size() - 1;
    }
    *free = std::move(piece);
    return static_cast<size_t>(free - kept_.begin());
  }
  /// Throws for a number that is not in use.
  const Piece& At(const Napi::Value& number) const {
    return *kept_[NumberOf(number)];
  }
  void Drop(const Napi::Value& number) {
    const std::unique_ptr<Piece> piece = std::move(kept_[NumberOf(number)]);
    reader->Recycle(piece.get());
  }
  void DropAll() { kept_.clear(); }

  /// The handle was collected, so no more requests can come.
  void Abandon() const { reader->Cancel(); }

 private:
  size_t NumberOf(const Napi::Value& value) const {
    const size_t number = value.As<Napi::Number>().Uint32Value();
    if (number < kept_.size() && kept_[number] != nullptr) return number;
    throw Napi::RangeError::New(value.Env(), "tfrecord: not a piece's number");
  }

  /// About as many as there are pending requests.
  std::vector<std::unique_ptr<Piece>> kept_;
  size_t expected_ = 0;
};

/// Resolves with the number of a piece.
class PieceJob final : public Job, public PieceReader::Request {
 public:
  PieceJob(EnvState* env, std::shared_ptr<Examples> examples, size_t records)
      : Request(records),
        env_(env),
        examples_(std::move(examples)),
        kept_(std::make_unique<Piece>()) {
    examples_->Expect();
  }

  void Done() override { env_->Done(this); }
  Napi::Value Finish(Napi::Env env) override {
    *kept_ = std::move(piece);
    const size_t number = examples_->Keep(std::move(kept_));
    return Napi::Number::New(env, static_cast<double>(number));
  }

 private:
  EnvState* const env_;
  const std::shared_ptr<Examples> examples_;
  /// Allocated ahead: `Finish` must not run out of memory.
  std::unique_ptr<Piece> kept_;
};

/// Also drops all pieces.
class PiecesCloseJob final : public CloseJob {
 public:
  PiecesCloseJob(EnvState* env, std::shared_ptr<Examples> examples)
      : CloseJob(env), examples_(std::move(examples)) {}

  Napi::Value Finish(Napi::Env env) override {
    examples_->DropAll();
    return CloseJob::Finish(env);
  }

 private:
  const std::shared_ptr<Examples> examples_;
};

Napi::Value Open(const Napi::CallbackInfo& info,
                 std::unique_ptr<ByteSource> source, const Fed& fed,
                 const ReaderSpec& spec, const Napi::Value& parser) {
  NeedThreads(info.Env());
  auto examples = std::make_shared<Examples>(fed);
  examples->reader = std::make_shared<PieceReader>(
      std::move(source), spec, GetHandle<Parser>(parser)->plan,
      EnvState::Get(info.Env())->closing());
  return NewHandle(info.Env(), std::move(examples));
}

Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  const ReaderSpec spec = DecodeSpec(info[1]);
  return Open(info,
              NewFileSource(info[0].As<Napi::String>().Utf8Value(),
                            spec.start.position()),
              {}, spec, info[2]);
}

Napi::Value OpenFed(const Napi::CallbackInfo& info) {
  auto source = std::make_unique<FedSource>();
  FedSource* const fed = source.get();
  return Open(info, std::move(source), {fed, nullptr}, DecodeSpec(info[0]),
              info[1]);
}

Napi::Value OpenRanges(const Napi::CallbackInfo& info) {
  const ReaderSpec spec = DecodeSpec(info[0]);
  auto source = NewRangeSource(info[2], info[3], spec);
  RangeSource* const ranges = source.get();
  return Open(info, std::move(source), {nullptr, ranges}, spec, info[1]);
}

void FeedBytes(const Napi::CallbackInfo& info) {
  Feed(info, GetHandle<Examples>(info[0])->fed.stream);
}

void FeedRangeOf(const Napi::CallbackInfo& info) {
  FeedRange(info, GetHandle<Examples>(info[0])->fed.ranges);
}

void EndAt(const Napi::CallbackInfo& info) {
  EndRanges(info, GetHandle<Examples>(info[0])->fed.ranges);
}

Napi::Value Wants(const Napi::CallbackInfo& info) {
  return WantsValue(info, GetHandle<Examples>(info[0])->fed.ranges);
}

Napi::Value Next(const Napi::CallbackInfo& info) {
  const uint32_t records = info[1].As<Napi::Number>().Uint32Value();
  if (records == 0) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: no records");
  }
  EnvState* const env = EnvState::Get(info.Env());
  const auto examples = GetHandle<Examples>(info[0]);
  auto job = std::make_unique<PieceJob>(env, examples, records);
  // Keeps the handle alive, so that the reader is not abandoned while a job is
  // pending.
  const Napi::Value promise = env->Begin(info.Env(), job.get(), info[0]);
  examples->reader->Submit(job.release());
  return promise;
}

Napi::Value NextSync(const Napi::CallbackInfo& info) {
  const uint32_t records = info[1].As<Napi::Number>().Uint32Value();
  const uint32_t ahead = info[2].As<Napi::Number>().Uint32Value();
  if (records == 0) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: no records");
  }
  const auto examples = GetHandle<Examples>(info[0]);
  auto kept = std::make_unique<Piece>();
  examples->Expect();
  while (examples->waited.size() <= ahead) {
    examples->waited.Submit(examples->reader.get(), records);
  }
  *kept = examples->waited.Take();
  const size_t number = examples->Keep(std::move(kept));
  return Napi::Number::New(info.Env(), static_cast<double>(number));
}

void Skip(const Napi::CallbackInfo& info) {
  const auto examples = GetHandle<Examples>(info[0]);
  // Those that were requested ahead repeat the halt.
  examples->waited.Finish();
  examples->reader->Skip();
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  EnvState* const env = EnvState::Get(info.Env());
  const auto examples = GetHandle<Examples>(info[0]);
  examples->reader->Cancel();
  examples->waited.Finish();
  auto job = std::make_unique<PiecesCloseJob>(env, examples);
  const Napi::Value promise = env->Begin(info.Env(), job.get(), info[0]);
  examples->reader->Close(job.release());
  return promise;
}

Napi::Value Report(const Napi::CallbackInfo& info) {
  const Piece& piece = GetHandle<Examples>(info[0])->At(info[1]);
  WriteReport(piece, info[2]);
  return PieceFaultsValue(info.Env(), piece);
}

void Lengths(const Napi::CallbackInfo& info) {
  CopyLengths(GetHandle<Examples>(info[0])->At(info[1]), info[2]);
}

/// Memory of `value`, which must have room for all sizes of the piece's
/// columns.
double* SizesOf(const Piece& piece, const Napi::Value& value) {
  constexpr const char* kWrong = "tfrecord: not the sizes of these columns";
  const ArrayMemory sizes = GetArray(value, napi_float64_array, kWrong);
  if (sizes.length == kColumnSizes * piece.parser->plan().columns.size()) {
    return static_cast<double*>(sizes.data);
  }
  throw Napi::TypeError::New(value.Env(), kWrong);
}

void Sizes(const Napi::CallbackInfo& info) {
  const auto examples = GetHandle<Examples>(info[0]);
  const Piece& piece = examples->At(info[1]);
  const Range rows = RowsOfPiece(piece, info[2], info[3]);
  WriteSizes(*piece.parser, rows, SizesOf(piece, info[4]));
}

void Take(const Napi::CallbackInfo& info) {
  const auto examples = GetHandle<Examples>(info[0]);
  const Piece& piece = examples->At(info[1]);
  const Range rows = RowsOfPiece(piece, info[2], info[3]);
  const auto arrays = info[4].As<Napi::Array>();
  if (info[5].IsUndefined()) return CopyColumns(*piece.parser, rows, arrays);
  const size_t count = kColumnSizes * piece.parser->plan().columns.size();
  const double* const given = SizesOf(piece, info[5]);
  // Copied, because JavaScript runs for each array.
  const std::vector<double> filled(given, given + count);
  CopyColumns(*piece.parser, rows, arrays, filled.data());
}

void Drop(const Napi::CallbackInfo& info) {
  GetHandle<Examples>(info[0])->Drop(info[1]);
}

}  // namespace

void ExportPieces(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<OpenFile>(env, "examplesOpenFile"),
      Export<OpenFed>(env, "examplesOpenFed"),
      Export<OpenRanges>(env, "examplesOpenRanges"),
      Export<FeedBytes>(env, "examplesFeed"),
      Export<FeedRangeOf>(env, "examplesFeedRange"),
      Export<EndAt>(env, "examplesEndAt"),
      Export<Wants>(env, "examplesWants"),
      Export<Next>(env, "examplesNext"),
      Export<NextSync>(env, "examplesNextSync"),
      Export<Skip>(env, "examplesSkip"),
      Export<Close>(env, "examplesClose"),
      Export<Report>(env, "examplesReport"),
      Export<Lengths>(env, "examplesLengths"),
      Export<Sizes>(env, "examplesSizes"),
      Export<Take>(env, "examplesTake"),
      Export<Drop>(env, "examplesDrop"),
  });
}

}  // namespace tfr::addon
