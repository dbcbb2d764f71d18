#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "core/example/parse/row_lists.h"

namespace tfr::addon {
namespace {

constexpr const char* kWrong = "tfrecord: not rows";

/// The rows described by the splits in `value`, one more than there are rows.
RowLists RowsOf(const Napi::Value& value, size_t unit) {
  const ArrayMemory splits = GetArray(value, napi_int32_array, kWrong);
  if (splits.length > 0) {
    return {static_cast<const int32_t*>(splits.data), splits.length - 1, unit};
  }
  throw Napi::TypeError::New(value.Env(), kWrong);
}

Napi::Value Longest(const Napi::CallbackInfo& info) {
  const RowLists lists = RowsOf(info[0], 1);
  return Napi::Number::New(info.Env(), LongestRow(lists));
}

/// Pads arrays of one numeric type.
template <class T>
void PadArrays(const Napi::CallbackInfo& info, napi_typedarray_type type) {
  const ArrayMemory from = GetArray(info[0], type, kWrong);
  const uint32_t unit = info[2].As<Napi::Number>().Uint32Value();
  const RowLists lists = RowsOf(info[1], unit);
  const ArrayMemory to = GetArray(info[3], type, kWrong);
  const size_t width = lists.rows == 0 ? 0 : to.length / lists.rows;
  bool fits =
      width * lists.rows == to.length && RowsFit(lists, from.length, width);
  const T* padding = nullptr;
  if (!info[4].IsUndefined()) {
    const ArrayMemory one = GetArray(info[4], type, kWrong);
    fits &= one.length == 1;
    padding = static_cast<const T*>(one.data);
  }
  if (!fits) throw Napi::RangeError::New(info.Env(), kWrong);
  PadRows(static_cast<const T*>(from.data), lists, width, padding,
          static_cast<T*>(to.data));
}

void Pad(const Napi::CallbackInfo& info) {
  napi_typedarray_type type = napi_int8_array;
  if (info[0].IsTypedArray()) {
    type = info[0].As<Napi::TypedArray>().TypedArrayType();
  }
  if (type == napi_float32_array) return PadArrays<uint32_t>(info, type);
  if (type == napi_bigint64_array || type == napi_float64_array) {
    return PadArrays<uint64_t>(info, type);
  }
  throw Napi::TypeError::New(info.Env(), kWrong);
}

}  // namespace

void ExportRows(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Longest>(env, "longestRow"),
      Export<Pad>(env, "padRows"),
  });
}

}  // namespace tfr::addon
