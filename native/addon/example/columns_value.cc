#include "addon/example/columns_value.h"

#include <cstring>

#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "core/base/memory.h"
#include "core/example/parse/column_slice.h"

namespace tfr::addon {
namespace {

size_t ElementSize(napi_typedarray_type type) {
  switch (type) {
    case napi_uint8_array:
      return 1;
    case napi_int32_array:
    case napi_float32_array:
      return 4;
    default:
      return 8;
  }
}

/// Fills the arrays of one list, in order.
class ArrayFiller {
 public:
  /// `exact`: each array must have exactly the size of its content.
  ArrayFiller(const Napi::Array& arrays, bool exact)
      : arrays_(arrays), exact_(exact) {}

  template <class T>
  void Fill(napi_typedarray_type wanted, const TypedBuffer<T>& from,
            Range values, size_t at) {
    auto* const to = static_cast<T*>(Next(wanted, at, values.size()));
    if (values.size() == 0) return;
    std::memcpy(to + at, from.data() + values.begin, values.size() * sizeof(T));
  }

  void Fill(const ByteStore& from, Range bytes, size_t at) {
    auto* const to =
        static_cast<uint8_t*>(Next(napi_uint8_array, at, bytes.size()));
    if (bytes.size() == 0) return;
    from.CopyTo(to + at, bytes.begin, bytes.end);
  }

  /// Appended positions continue from the last existing one.
  void FillPositions(const TypedBuffer<int32_t>& from, Range places,
                     size_t at) {
    auto* const to =
        static_cast<int32_t*>(Next(napi_int32_array, at, places.size() + 1));
    const int32_t base = at == 0 ? 0 : to[at];
    if (base >= 0 && CopyPositions(from, places, base, to + at)) return;
    throw Napi::RangeError::New(arrays_.Env(), "tfrecord: too many positions");
  }

 private:
  /// Memory of the next array, which must have type `wanted` and room for
  /// `length` elements after the first `at`.
  void* Next(napi_typedarray_type wanted, size_t at, size_t length) {
    constexpr const char* kWrong = "tfrecord: not the array of this column";
    const ArrayMemory to = GetArray(arrays_.Get(next_++), wanted, kWrong);
    if (exact_ ? at == 0 && to.length == length
               : at <= to.length && length <= to.length - at) {
      if (at == 0) ExpectWrites(to.data, to.length * ElementSize(wanted));
      return to.data;
    }
    throw Napi::TypeError::New(arrays_.Env(), kWrong);
  }

  const Napi::Array& arrays_;
  const bool exact_;
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
    to[0] = static_cast<double>(slice.present.size());
    to[1] = static_cast<double>(slice.steps.size());
    to[2] = static_cast<double>(slice.splits.size());
    to[3] = static_cast<double>(slice.values.size());
    to[4] = static_cast<double>(slice.bytes.size());
  }
}

void CopyColumns(const BatchParser& parser, Range rows,
                 const Napi::Array& arrays, const double* filled) {
  ArrayFiller filler(arrays, filled == nullptr);
  const Plan& plan = parser.plan();
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    const ColumnPlan& column = plan.columns[i];
    const ColumnData& data = parser.column(i);
    const ColumnSlice slice = SliceColumn(column, data, rows);
    size_t at[kColumnSizes] = {};
    for (size_t k = 0; filled != nullptr && k < kColumnSizes; ++k) {
      at[k] = static_cast<size_t>(filled[kColumnSizes * i + k]);
    }
    if (column.optional) {
      filler.FillPositions(data.present, slice.present, at[0]);
    }
    if (column.section == Section::kLists) {
      filler.FillPositions(data.steps, slice.steps, at[1]);
    }
    if (column.count == kAnyCount) {
      filler.FillPositions(data.splits, slice.splits, at[2]);
    }
    switch (column.kind) {
      case Kind::kFloat:
        filler.Fill(napi_float32_array, data.floats, slice.values, at[3]);
        break;
      case Kind::kInt64:
        filler.Fill(
            plan.int64_as_number ? napi_float64_array : napi_bigint64_array,
            data.ints, slice.values, at[3]);
        break;
      default:
        filler.FillPositions(data.offsets, slice.values, at[3]);
        filler.Fill(data.bytes, slice.bytes, at[4]);
    }
  }
}

}  // namespace tfr::addon
