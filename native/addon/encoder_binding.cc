#include "addon/encoder_binding.h"

#include <utility>
#include <vector>

#include "addon/handle.h"
#include "addon/properties.h"
#include "core/example/batch_encoder.h"

namespace tfr::addon {
namespace {

constexpr const char* kWrongArray = "tfrecord: not the array of a column";

/// Positions, `least` or more; null where there are none.
const int32_t* PositionsOf(const Napi::Value& value, size_t least) {
  if (value.IsUndefined()) return nullptr;
  const ArrayMemory memory = GetArray(value, napi_int32_array, kWrongArray);
  if (memory.length < least) {
    throw Napi::RangeError::New(value.Env(), "tfrecord: too few positions");
  }
  return static_cast<const int32_t*>(memory.data);
}

void TakeValues(const Napi::Object& object, EncoderColumn* column) {
  const Napi::Value values = object.Get("values");
  switch (object.Get("kind").ToNumber().Uint32Value()) {
    case 1: {
      column->kind = Kind::kBytes;
      const ArrayMemory data = GetArray(values, napi_uint8_array, kWrongArray);
      const Napi::Value offsets = object.Get("offsets");
      column->offsets = PositionsOf(offsets, 1);
      if (column->offsets == nullptr) {
        throw Napi::TypeError::New(object.Env(), "tfrecord: bytes in no order");
      }
      column->size =
          GetArray(offsets, napi_int32_array, kWrongArray).length - 1;
      column->values = data.data;
      column->data_size = data.length;
      return;
    }
    case 2:
    case 3: {
      const bool floats = object.Get("kind").ToNumber().Uint32Value() == 2;
      column->kind = floats ? Kind::kFloat : Kind::kInt64;
      const ArrayMemory numbers =
          GetArray(values, floats ? napi_float32_array : napi_bigint64_array,
                   kWrongArray);
      column->values = numbers.data;
      column->size = numbers.length;
      return;
    }
    default:
      throw Napi::RangeError::New(object.Env(), "tfrecord: kind of a column");
  }
}

EncoderColumn ColumnOf(const Napi::Object& object, size_t rows) {
  EncoderColumn column;
  const ByteSpan key = GetBytes(object.Get("key"));
  column.key.assign(reinterpret_cast<const char*>(key.data), key.size);
  TakeValues(object, &column);
  column.starts = PositionsOf(object.Get("starts"), rows);
  column.ends = PositionsOf(object.Get("ends"), rows);
  const double count = object.Get("count").ToNumber().DoubleValue();
  if ((column.starts == nullptr) != (column.ends == nullptr) ||
      !(count >= 0 && count <= 0x7fffffff)) {
    throw Napi::RangeError::New(object.Env(), "tfrecord: rows of a column");
  }
  column.count = static_cast<size_t>(count);
  return column;
}

Napi::Value FaultValue(Napi::Env env, const EncodeFault& fault) {
  const auto number = [env](size_t value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("code", number(static_cast<size_t>(fault.code))),
      Field("row", number(fault.row)),
      Field("column", number(fault.column)),
  });
  return object;
}

Napi::Value Encode(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto list = info[0].As<Napi::Array>();
  const ArrayMemory places = GetArray(info[1], napi_uint32_array, kWrongArray);
  const size_t rows = places.length / 2;
  std::vector<EncoderColumn> columns;
  columns.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    columns.push_back(ColumnOf(list.Get(i).As<Napi::Object>(), rows));
  }
  BatchEncoder encoder(std::move(columns), rows);
  auto* const frames = static_cast<Frame*>(places.data);
  EncodeFault fault;
  if (!encoder.Measure(frames, &fault)) return FaultValue(env, fault);
  const Napi::Value slab = info[2].As<Napi::Function>().Call(
      {Napi::Number::New(env, static_cast<double>(encoder.bytes()))});
  const ByteSpan memory = GetBytes(slab);
  if (memory.size < encoder.bytes()) {
    throw Napi::RangeError::New(env, "tfrecord: a slab that is too small");
  }
  encoder.Write(frames, memory.data);
  return env.Undefined();
}

}  // namespace

void ExportEncoder(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({Export<Encode>(env, "encodeColumns")});
}

}  // namespace tfr::addon
