#include "addon/example_binding.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "addon/columns_value.h"
#include "addon/env_state.h"
#include "addon/fault_value.h"
#include "addon/fill_value.h"
#include "addon/handle.h"
#include "addon/parser_binding.h"
#include "addon/properties.h"
#include "addon/read_arguments.h"
#include "core/example/example_flow.h"
#include "core/io/fed_source.h"
#include "core/io/file_source.h"

namespace tfr::addon {
namespace {

/// The flow behind a handle.
struct Examples {
  static constexpr napi_type_tag kTag = {0x5b0c1f7e2d394a86,
                                         0xb1c2d3e4f5061728};

  std::shared_ptr<ExampleFlow> flow;
  FedSource* fed = nullptr;
  /// The handle is gone: nobody can ask for anything any more.
  void Abandon() const { flow->Cancel(); }
};

/// Columns that JavaScript has not taken yet.
class Columns {
 public:
  static constexpr napi_type_tag kTag = {0x3c7d5e9fa1b2c3d4,
                                         0x8899aabbccddeeff};

  Columns(std::unique_ptr<BatchParser> parser,
          std::shared_ptr<ExampleFlow> flow)
      : parser_(std::move(parser)), flow_(std::move(flow)) {}

  /// Empty once they were taken.
  const BatchParser* parser() const { return parser_.get(); }
  void Abandon() {
    if (parser_ != nullptr) flow_->Recycle(std::move(parser_));
  }

 private:
  std::unique_ptr<BatchParser> parser_;
  const std::shared_ptr<ExampleFlow> flow_;
};

/// A request of JavaScript's: its promise resolves with the piece, or, for the
/// end of the flow, with undefined.
class PieceJob final : public Job, public ExampleFlow::Request {
 public:
  PieceJob(EnvState* env, std::shared_ptr<ExampleFlow> flow, size_t records)
      : Request(records), env_(env), flow_(std::move(flow)) {}

  void Done() override { env_->Done(this); }
  Napi::Value Finish(Napi::Env env) override;

 private:
  EnvState* const env_;
  const std::shared_ptr<ExampleFlow> flow_;
};

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

Napi::Value PieceJob::Finish(Napi::Env env) {
  if (records == 0) return env.Undefined();
  const auto number = [env](uint64_t value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  const size_t rows = piece.parser == nullptr ? 0 : piece.parser->rows();
  Napi::Array faults = Napi::Array::New(env, piece.faults.size());
  for (size_t i = 0; i < piece.faults.size(); ++i) {
    faults.DefineProperty(Element(env, i, RowFaultValue(env, piece.faults[i])));
  }
  Napi::Uint32Array lengths = Napi::Uint32Array::New(env, piece.lengths.size());
  std::copy(piece.lengths.begin(), piece.lengths.end(), lengths.Data());
  Napi::Object object = Napi::Object::New(env);
  Napi::Value columns = env.Undefined();
  Napi::Value sizes = env.Undefined();
  if (rows > 0) {
    sizes = SizesValue(env, *piece.parser);
    columns = NewHandle(
        env, std::make_shared<Columns>(std::move(piece.parser), flow_));
  } else if (piece.parser != nullptr) {
    flow_->Recycle(std::move(piece.parser));
  }
  object.DefineProperties({
      Field("rows", number(rows)),
      Field("columns", columns),
      Field("sizes", sizes),
      Field("faults", faults),
      Field("lengths", lengths),
      Field("firstRecord", number(piece.first_record)),
      Field("offset", number(piece.offset)),
      Field("outcome", number(static_cast<uint64_t>(piece.outcome))),
      Field("halt", FaultValue(env, piece.halt)),
      Field("compressedBytes", number(piece.compressed_bytes)),
      Field("compression", CompressionValue(env, piece.compression)),
      Field("totalBytes", TotalValue(env, piece.total_bytes)),
  });
  return object;
}

Napi::Value Open(const Napi::CallbackInfo& info,
                 std::unique_ptr<ByteSource> source, FedSource* fed,
                 size_t options_at) {
  NeedThreads(info.Env());
  const auto parser = GetHandle<Parser>(info[options_at + 3]);
  auto examples = std::make_shared<Examples>();
  examples->fed = fed;
  examples->flow = std::make_shared<ExampleFlow>(
      std::move(source), ReadOptionsAt(info, options_at), parser->plan,
      info[options_at + 4].ToBoolean(), EnvState::Get(info.Env())->closing());
  return NewHandle(info.Env(), std::move(examples));
}

Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  std::string path = info[0].As<Napi::String>().Utf8Value();
  return Open(info, NewFileSource(std::move(path)), nullptr, 1);
}

Napi::Value OpenFed(const Napi::CallbackInfo& info) {
  auto source = std::make_unique<FedSource>();
  FedSource* const fed = source.get();
  return Open(info, std::move(source), fed, 0);
}

void FeedBytes(const Napi::CallbackInfo& info) {
  const auto examples = GetHandle<Examples>(info[0]);
  const ByteSpan chunk = GetBytes(info[1]);
  if (examples->fed == nullptr ||
      !examples->fed->Feed(chunk.data, chunk.size, info[2].ToBoolean())) {
    throw Napi::Error::New(info.Env(), "tfrecord: out of memory for a chunk");
  }
}

Napi::Value Submit(const Napi::CallbackInfo& info, size_t records) {
  EnvState* const env = EnvState::Get(info.Env());
  const auto examples = GetHandle<Examples>(info[0]);
  auto job = std::make_unique<PieceJob>(env, examples->flow, records);
  // The handle stays, so that nobody abandons what a job still needs.
  const Napi::Value promise = env->Begin(info.Env(), job.get(), info[0]);
  examples->flow->Submit(job.release());
  return promise;
}

Napi::Value Next(const Napi::CallbackInfo& info) {
  const uint32_t records = info[1].As<Napi::Number>().Uint32Value();
  if (records == 0) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: no records");
  }
  return Submit(info, records);
}

void PassOver(const Napi::CallbackInfo& info) {
  GetHandle<Examples>(info[0])->flow->PassOver();
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  GetHandle<Examples>(info[0])->flow->Cancel();
  return Submit(info, 0);
}

void Take(const Napi::CallbackInfo& info) {
  const auto columns = GetHandle<Columns>(info[0]);
  if (columns->parser() == nullptr) {
    throw Napi::Error::New(info.Env(), "tfrecord: columns are taken once");
  }
  CopyColumns(*columns->parser(), info[1].As<Napi::Array>());
  columns->Abandon();
}

}  // namespace

void ExportExamples(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<OpenFile>(env, "examplesOpenFile"),
      Export<OpenFed>(env, "examplesOpenFed"),
      Export<FeedBytes>(env, "examplesFeed"),
      Export<Next>(env, "examplesNext"),
      Export<PassOver>(env, "examplesPassOver"),
      Export<Close>(env, "examplesClose"),
      Export<Take>(env, "columnsTake"),
  });
}

}  // namespace tfr::addon
