#include <array>
#include <utility>
#include <vector>

#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "core/example/encode/batch_encoder.h"

namespace tfr::addon {
namespace {

constexpr const char* kWrongArray = "tfrecord: not the array of a column";

/// Positions of a column; null if absent.
struct Positions {
  const int32_t* data = nullptr;
  size_t size = 0;
};

/// Returns at least `least` positions, or null ones if `value` is undefined.
Positions PositionsOf(const Napi::Value& value, size_t least) {
  if (value.IsUndefined()) return {};
  const ArrayMemory memory = GetArray(value, napi_int32_array, kWrongArray);
  if (memory.length < least) {
    throw Napi::RangeError::New(value.Env(), "tfrecord: too few positions");
  }
  return {static_cast<const int32_t*>(memory.data), memory.length};
}

void TakeValues(const Napi::Value& kind, const Napi::Value& values,
                const Napi::Value& offsets, EncoderColumn* column) {
  const Napi::Env env = kind.Env();
  napi_typedarray_type wanted = napi_uint8_array;
  switch (kind.As<Napi::Number>().Uint32Value()) {
    case 1:
      column->kind = Kind::kBytes;
      break;
    case 2:
      column->kind = Kind::kFloat;
      wanted = napi_float32_array;
      break;
    case 3:
      column->kind = Kind::kInt64;
      wanted = napi_bigint64_array;
      break;
    default:
      throw Napi::RangeError::New(env, "tfrecord: kind of a column");
  }
  const ArrayMemory memory = GetArray(values, wanted, kWrongArray);
  column->values = memory.data;
  column->size = memory.length;
  if (column->kind != Kind::kBytes) return;
  const Positions positions = PositionsOf(offsets, 1);
  if (positions.size == 0) {
    throw Napi::TypeError::New(env, "tfrecord: bytes in no order");
  }
  column->offsets = positions.data;
  column->size = positions.size - 1;
  column->data_size = memory.length;
}

/// The members of an `EncoderColumn` of lib/native/binding-examples.ts.
constexpr uint32_t kMembers = 7;
using Members = std::array<napi_value, kMembers>;

EncoderColumn ColumnOf(Napi::Env env, const Members& members, size_t rows) {
  const auto member = [env, &members](size_t index) {
    return Napi::Value(env, members[index]);
  };
  EncoderColumn column;
  const ByteSpan key = GetBytes(member(0));
  column.key.assign(reinterpret_cast<const char*>(key.data), key.size);
  TakeValues(member(1), member(2), member(3), &column);
  column.starts = PositionsOf(member(4), rows).data;
  column.ends = PositionsOf(member(5), rows).data;
  const double count = member(6).As<Napi::Number>().DoubleValue();
  if ((column.starts == nullptr) != (column.ends == nullptr) ||
      !(count >= 0 && count <= 0x7fffffff)) {
    throw Napi::RangeError::New(env, "tfrecord: rows of a column");
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
  std::vector<Members> members(list.Length());
  for (uint32_t i = 0; i < members.size(); ++i) {
    const auto column = list.Get(i).As<Napi::Array>();
    for (uint32_t k = 0; k < kMembers; ++k) members[i][k] = column.Get(k);
  }
  // From here on no JavaScript runs, so memory neither moves nor changes.
  const ArrayMemory places = GetArray(info[1], napi_uint32_array, kWrongArray);
  const size_t rows = places.length / 2;
  std::vector<EncoderColumn> columns;
  columns.reserve(members.size());
  for (const Members& each : members) {
    columns.push_back(ColumnOf(env, each, rows));
  }
  const ByteSpan slab = info[2].IsUndefined() ? ByteSpan() : GetBytes(info[2]);
  const double waste = info[3].As<Napi::Number>().DoubleValue();
  BatchEncoder encoder(std::move(columns), rows);
  auto* const frames = static_cast<Frame*>(places.data);
  EncodeFault fault;
  if (!encoder.Measure(frames, &fault)) return FaultValue(env, fault);
  const auto bytes = static_cast<double>(encoder.bytes());
  const auto room = static_cast<double>(slab.size);
  if (slab.data == nullptr || room < bytes || room > bytes * waste) {
    return Napi::Number::New(env, bytes);
  }
  encoder.Write(frames, slab.data);
  return env.Undefined();
}

}  // namespace

void ExportEncoder(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({Export<Encode>(env, "encodeColumns")});
}

}  // namespace tfr::addon
