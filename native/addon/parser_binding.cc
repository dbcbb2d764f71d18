#include "addon/parser_binding.h"

#include <string>
#include <utility>
#include <vector>

#include "addon/columns_value.h"
#include "addon/handle.h"
#include "addon/properties.h"
#include "core/example/row_block.h"

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
  return column;
}

Napi::Value NewParser(const Napi::CallbackInfo& info) {
  const auto list = info[0].As<Napi::Array>();
  std::vector<ColumnPlan> columns;
  columns.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    columns.push_back(ColumnOf(list.Get(i).As<Napi::Object>()));
  }
  auto plan = std::make_shared<const Plan>(
      std::move(columns), info[1].ToBoolean(), info[2].ToBoolean());
  const auto parser = std::make_shared<Parser>(std::move(plan));
  const ByteSpan block = GetBytes(info[3]);
  parser->block = block.data;
  parser->block_size = block.size;
  parser->kept = Napi::Persistent(info[3].As<Napi::Object>());
  return NewHandle(info.Env(), parser);
}

void Clear(const Napi::CallbackInfo& info) {
  if (!GetHandle<Parser>(info[0])->batch.Clear()) {
    throw Napi::Error::New(info.Env(), "tfrecord: out of memory for columns");
  }
}

/// The frames of `array`, all within `slab`.
const Frame* FramesOf(const Napi::Value& value, ByteSpan slab, size_t begin,
                      size_t end) {
  const Napi::Env env = value.Env();
  napi_typedarray_type type = napi_int8_array;
  size_t length = 0;
  void* data = nullptr;
  if (!value.IsTypedArray() ||
      napi_get_typedarray_info(env, value, &type, &length, &data, nullptr,
                               nullptr) != napi_ok ||
      type != napi_uint32_array || begin > end || end > length / 2) {
    throw Napi::TypeError::New(env, "tfrecord: not the frames of a slab");
  }
  const auto* const frames = static_cast<const Frame*>(data);
  for (size_t i = begin; i < end; ++i) {
    if (uint64_t{frames[i].offset} + frames[i].length > slab.size) {
      throw Napi::RangeError::New(env, "tfrecord: a frame beyond its slab");
    }
  }
  return frames + begin;
}

Napi::Value Append(const Napi::CallbackInfo& info) {
  const auto parser = GetHandle<Parser>(info[0]);
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
  return SizesValue(info.Env(), GetHandle<Parser>(info[0])->batch);
}

void Take(const Napi::CallbackInfo& info) {
  const auto parser = GetHandle<Parser>(info[0]);
  CopyColumns(parser->batch, info[1].As<Napi::Array>());
}

/// Memory that another thread may change is not looked at.
bool IsShared(const Napi::Value& array) {
  napi_value buffer = nullptr;
  bool own = false;
  return napi_get_typedarray_info(array.Env(), array, nullptr, nullptr, nullptr,
                                  &buffer, nullptr) != napi_ok ||
         napi_is_arraybuffer(array.Env(), buffer, &own) != napi_ok || !own;
}

Napi::Value Row(const Napi::CallbackInfo& info) {
  const auto parser = GetHandle<Parser>(info[0]);
  const ByteSpan record = GetBytes(info[1]);
  const Frame frame{0, static_cast<uint32_t>(record.size)};
  ParseFault fault;
  const bool done =
      record.size <= parser->block_size && !IsShared(info[1]) &&
      parser->batch.Clear() &&
      parser->batch.Append(record.data, record.size, &frame, 1, &fault) == 1 &&
      WriteRowBlock(parser->batch, parser->block, parser->block_size);
  return Napi::Boolean::New(info.Env(), done);
}

}  // namespace

void ExportParser(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<NewParser>(env, "parserNew"),
      Export<Clear>(env, "parserClear"),
      Export<Append>(env, "parserAppend"),
      Export<Sizes>(env, "parserSizes"),
      Export<Take>(env, "parserTake"),
      Export<Row>(env, "parserRow"),
  });
}

}  // namespace tfr::addon
