#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/example/columns_value.h"
#include "addon/example/parser.h"
#include "addon/slab_frames.h"
#include "core/example/parse/row_block.h"

namespace tfr::addon {
namespace {

std::string TextOf(const Napi::Value& bytes) {
  if (bytes.IsUndefined()) return {};
  const ByteSpan span = GetBytes(bytes);
  return {reinterpret_cast<const char*>(span.data), span.size};
}

ColumnPlan ColumnOf(const Napi::Object& object) {
  ColumnPlan column;
  column.key = TextOf(object.Get("key"));
  column.section = object.Get("section").ToNumber().Uint32Value() == 0
                       ? Section::kFeatures
                       : Section::kLists;
  const uint32_t kind = object.Get("kind").ToNumber().Uint32Value();
  if (kind < 1 || kind > 3) {
    throw Napi::RangeError::New(object.Env(), "tfrecord: kind of a column");
  }
  column.kind = static_cast<Kind>(kind);
  const int64_t count = object.Get("count").ToNumber().Int64Value();
  column.count = count < 0 ? kAnyCount : count;
  column.required = object.Get("required").ToBoolean();
  column.fallback = TextOf(object.Get("fallback"));
  column.optional = object.Get("optional").ToBoolean();
  return column;
}

Napi::Value NewParser(const Napi::CallbackInfo& info) {
  const auto parser = std::make_shared<Parser>(
      PlanOf(info[0], info[1].ToBoolean(), info[2].ToBoolean()));
  return NewHandle(info.Env(), parser);
}

void Clear(const Napi::CallbackInfo& info) {
  if (!IdleParser(info[0])->batch.Clear()) {
    throw SystemError(info.Env(), ENOMEM, "malloc");
  }
}

Napi::Value Append(const Napi::CallbackInfo& info) {
  const auto parser = IdleParser(info[0]);
  const ByteSpan slab = GetBytes(info[1]);
  const size_t begin = info[3].As<Napi::Number>().Uint32Value();
  const size_t end = info[4].As<Napi::Number>().Uint32Value();
  const Frame* const frames = FramesOf(info[2], slab, begin, end);
  ParseFault fault;
  const size_t rows =
      parser->batch.Append(slab.data, slab.size, frames, end - begin, &fault);
  if (rows == end - begin) return info.Env().Undefined();
  return ParseFaultValue(info.Env(), fault, rows);
}

Napi::Value Sizes(const Napi::CallbackInfo& info) {
  const BatchParser& batch = IdleParser(info[0])->batch;
  const size_t columns = batch.plan().columns.size();
  auto sizes = Napi::Float64Array::New(info.Env(), columns * kColumnSizes);
  WriteSizes(batch, {0, batch.rows()}, sizes.Data());
  return sizes;
}

void Take(const Napi::CallbackInfo& info) {
  const auto parser = IdleParser(info[0]);
  const BatchParser& batch = parser->batch;
  CopyColumns(batch, {0, batch.rows()}, info[1].As<Napi::Array>());
}

napi_value ParseRow(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value arguments[2];
  void* data = nullptr;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, &data) !=
      napi_ok) {
    return nullptr;
  }
  Parser* const parser = static_cast<std::shared_ptr<Parser>*>(data)->get();
  ByteSpan bytes;
  ByteSpan block;
  // A detached array looks empty; the caller then parses it as a batch, which
  // reports the error. Nothing here throws: running out of memory is a parse
  // fault.
  bool done = !parser->busy && GetOwnBytes(env, arguments[0], &bytes) &&
              GetOwnBytes(env, arguments[1], &block) && bytes.size > 0 &&
              bytes.size <= block.size && parser->batch.Clear();
  if (done) {
    const Frame frame{0, static_cast<uint32_t>(bytes.size)};
    ParseFault fault;
    done =
        parser->batch.Append(bytes.data, bytes.size, &frame, 1, &fault) == 1 &&
        WriteRowBlock(parser->batch, block.data, block.size);
  }
  napi_value result = nullptr;
  napi_get_boolean(env, done, &result);
  return result;
}

Napi::Value RowFunction(const Napi::CallbackInfo& info) {
  return NewFunction(
      info.Env(), ParseRow,
      std::make_unique<std::shared_ptr<Parser>>(GetHandle<Parser>(info[0])));
}

}  // namespace

std::shared_ptr<const Plan> PlanOf(const Napi::Value& columns, bool sequence,
                                   bool int64_as_number) {
  const auto list = columns.As<Napi::Array>();
  std::vector<ColumnPlan> plans;
  plans.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    plans.push_back(ColumnOf(list.Get(i).As<Napi::Object>()));
  }
  return std::make_shared<const Plan>(std::move(plans), sequence,
                                      int64_as_number);
}

std::shared_ptr<Parser> IdleParser(const Napi::Value& handle) {
  std::shared_ptr<Parser> parser = GetHandle<Parser>(handle);
  if (!parser->busy) return parser;
  throw Napi::Error::New(handle.Env(), "tfrecord: the parser is at work");
}

void ExportParser(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<NewParser>(env, "parserNew"),
      Export<Clear>(env, "parserClear"),
      Export<Append>(env, "parserAppend"),
      Export<Sizes>(env, "parserSizes"),
      Export<Take>(env, "parserTake"),
      Export<RowFunction>(env, "parserRow"),
  });
}

}  // namespace tfr::addon
