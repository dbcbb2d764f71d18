#include <algorithm>
#include <memory>
#include <utility>

#include "addon/base/env_state.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/example/columns_value.h"
#include "addon/example/parser.h"
#include "addon/example/scattered_records.h"
#include "core/base/thread_pool.h"

namespace tfr::addon {
namespace {

/// Limit on the record memory kept between batches.
constexpr size_t kKept = 4U << 20U;

/// Copies `records` into the parser's memory. Returns false when memory runs
/// out.
bool TakeRecords(const ScatteredRecords& records, Parser* parser) {
  parser->frames.Truncate(0);
  Frame* const frames =
      parser->frames.Room(std::max<size_t>(records.size(), 1));
  if (frames == nullptr || !parser->records.Reserve(records.bytes())) {
    return false;
  }
  parser->records.Resize(records.bytes());
  records.CopyTo(parser->records.data());
  parser->frames.Add(records.size());
  uint32_t offset = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    frames[i] = {offset, records.length(i)};
    offset += records.length(i);
  }
  return true;
}

/// Parses records in a parser's own memory. The promise resolves with the
/// fault, if any.
class ParseJob final : public Job, public ThreadPool::Task {
 public:
  /// `lent`: records that must be copied first; null if the parser has them.
  ParseJob(EnvState* env, std::shared_ptr<Parser> parser,
           std::unique_ptr<const ScatteredRecords> lent)
      : env_(env), parser_(std::move(parser)), lent_(std::move(lent)) {}

  void Submit() {
    parser_->busy = true;
    ThreadPool::Shared().Submit(this);
  }

  void Run() noexcept override {
    Parser& parser = *parser_;
    const bool taken = lent_ == nullptr || TakeRecords(*lent_, &parser);
    if (taken && parser.batch.Clear()) {
      rows_ = parser.batch.Append(parser.records.data(), parser.records.size(),
                                  parser.frames.data(), parser.frames.size(),
                                  &fault_);
    } else {
      fault_.code = ParseFaultCode::kOutOfMemory;
    }
    if (parser.records.capacity() > kKept) parser.records.Free();
    env_->Done(this);
  }

  Napi::Value Finish(Napi::Env env) override {
    parser_->busy = false;
    return fault_ ? ParseFaultValue(env, fault_, rows_) : env.Undefined();
  }

 private:
  EnvState* const env_;
  const std::shared_ptr<Parser> parser_;
  const std::unique_ptr<const ScatteredRecords> lent_;
  size_t rows_ = 0;
  ParseFault fault_;
};

Napi::Value Start(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  const std::shared_ptr<Parser> parser = IdleParser(info[0]);
  auto records = std::make_unique<const ScatteredRecords>(info, 1);
  const bool lent = info[4].ToBoolean();
  if (lent && !records->own()) {
    throw Napi::TypeError::New(env, "tfrecord: shared memory cannot be lent");
  }
  if (records->bytes() > UINT32_MAX) {
    throw Napi::RangeError::New(env, "tfrecord: too many bytes in the records");
  }
  if (!lent && !TakeRecords(*records, parser.get())) {
    throw SystemError(env, ENOMEM, "malloc");
  }
  if (!lent) records.reset();
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<ParseJob>(state, parser, std::move(records));
  Napi::Array kept = Napi::Array::New(env);
  for (uint32_t i = 0; i < (lent ? 3U : 1U); ++i) {
    kept.DefineProperty(Element(env, i, info[i]));
  }
  const Napi::Value promise = state->Begin(env, job.get(), kept);
  job.release()->Submit();
  return promise;
}

}  // namespace

void ExportParseJob(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({Export<Start>(env, "parserStart")});
}

}  // namespace tfr::addon
