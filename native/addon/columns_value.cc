#include "addon/columns_value.h"

#include <cstring>

#include "addon/fault_value.h"
#include "addon/handle.h"
#include "addon/properties.h"

namespace tfr::addon {
namespace {

/// Fills the arrays of one list, one after the other.
class ArrayFiller {
 public:
  explicit ArrayFiller(const Napi::Array& arrays) : arrays_(arrays) {}

  template <class T>
  void Fill(napi_typedarray_type wanted, const TypedBuffer<T>& from,
            Range values) {
    void* const to = Next(wanted, values.size());
    if (values.size() == 0) return;
    std::memcpy(to, from.data() + values.begin, values.size() * sizeof(T));
  }

  void Fill(const ByteStore& from, Range bytes) {
    void* const to = Next(napi_uint8_array, bytes.size());
    if (bytes.size() == 0) return;
    from.CopyTo(static_cast<uint8_t*>(to), bytes.begin, bytes.end);
  }

  void FillPositions(const TypedBuffer<int32_t>& from, Range places) {
    void* const to = Next(napi_int32_array, places.size() + 1);
    CopyPositions(from, places, static_cast<int32_t*>(to));
  }

 private:
  /// Memory of the next array, which is of type `wanted` and has `length`.
  void* Next(napi_typedarray_type wanted, size_t length) {
    constexpr const char* kWrong = "tfrecord: not the array of this column";
    const ArrayMemory to = GetArray(arrays_.Get(next_++), wanted, kWrong);
    if (to.length == length) return to.data;
    throw Napi::TypeError::New(arrays_.Env(), kWrong);
  }

  const Napi::Array& arrays_;
  uint32_t next_ = 0;
};

}  // namespace

Napi::Value ParseFaultValue(Napi::Env env, const ParseFault& fault,
                            size_t row) {
  const auto number = [env](size_t value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  Napi::Object object = Napi::Object::New(env);
  const bool counted = fault.found != kUnknown;
  object.DefineProperties({
      Field("code", number(static_cast<size_t>(fault.code))),
      Field("row", number(row)),
      Field("column", fault.column == kNoColumn ? Napi::Number::New(env, -1)
                                                : number(fault.column)),
      Field("byte", PlaceValue(env, fault.byte)),
      Field("step", PlaceValue(env, fault.step)),
      Field("found", counted ? Napi::Value(Napi::BigInt::New(
                                   env, static_cast<int64_t>(fault.found)))
                             : env.Undefined()),
      Field("foundKind", number(static_cast<size_t>(fault.found_kind))),
  });
  return object;
}

void WriteSizes(const BatchParser& parser, Range rows, double* to) {
  const std::vector<ColumnPlan>& columns = parser.plan().columns;
  for (size_t i = 0; i < columns.size(); ++i, to += kColumnSizes) {
    const ColumnSlice slice = SliceColumn(columns[i], parser.column(i), rows);
    to[0] = static_cast<double>(slice.steps.size());
    to[1] = static_cast<double>(slice.splits.size());
    to[2] = static_cast<double>(slice.values.size());
    to[3] = static_cast<double>(slice.bytes.size());
  }
}

void CopyColumns(const BatchParser& parser, Range rows,
                 const Napi::Array& arrays) {
  ArrayFiller filler(arrays);
  const Plan& plan = parser.plan();
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    const ColumnPlan& column = plan.columns[i];
    const ColumnData& data = parser.column(i);
    const ColumnSlice slice = SliceColumn(column, data, rows);
    if (column.section == Section::kLists) {
      filler.FillPositions(data.steps, slice.steps);
    }
    if (column.count == kAnyCount) {
      filler.FillPositions(data.splits, slice.splits);
    }
    switch (column.kind) {
      case Kind::kFloat:
        filler.Fill(napi_float32_array, data.floats, slice.values);
        break;
      case Kind::kInt64:
        filler.Fill(
            plan.int64_as_number ? napi_float64_array : napi_bigint64_array,
            data.ints, slice.values);
        break;
      default:
        filler.FillPositions(data.offsets, slice.values);
        filler.Fill(data.bytes, slice.bytes);
    }
  }
}

}  // namespace tfr::addon
