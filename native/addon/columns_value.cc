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
  void Fill(napi_typedarray_type wanted, const TypedBuffer<T>& from) {
    constexpr const char* kWrong = "tfrecord: not the array of this column";
    const ArrayMemory to = GetArray(arrays_.Get(next_++), wanted, kWrong);
    if (to.length != from.size()) {
      throw Napi::TypeError::New(arrays_.Env(), kWrong);
    }
    if (to.length > 0) {
      std::memcpy(to.data, from.data(), to.length * sizeof(T));
    }
  }

 private:
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

Napi::Value SizesValue(Napi::Env env, const BatchParser& parser) {
  const auto behind_first = [](const TypedBuffer<int32_t>& positions) {
    return positions.size() == 0 ? 0.0
                                 : static_cast<double>(positions.size() - 1);
  };
  const std::vector<ColumnPlan>& columns = parser.plan().columns;
  Napi::Float64Array sizes = Napi::Float64Array::New(env, columns.size() * 4);
  double* to = sizes.Data();
  for (size_t i = 0; i < columns.size(); ++i) {
    const ColumnData& data = parser.column(i);
    *to++ = behind_first(data.steps);
    *to++ = behind_first(data.splits);
    *to++ = static_cast<double>(data.values(columns[i]));
    *to++ = static_cast<double>(data.bytes.size());
  }
  return sizes;
}

void CopyColumns(const BatchParser& parser, const Napi::Array& arrays) {
  ArrayFiller filler(arrays);
  const Plan& plan = parser.plan();
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    const ColumnPlan& column = plan.columns[i];
    const ColumnData& data = parser.column(i);
    if (column.section == Section::kLists) {
      filler.Fill(napi_int32_array, data.steps);
    }
    if (column.count == kAnyCount) filler.Fill(napi_int32_array, data.splits);
    switch (column.kind) {
      case Kind::kFloat:
        filler.Fill(napi_float32_array, data.floats);
        break;
      case Kind::kInt64:
        filler.Fill(
            plan.int64_as_number ? napi_float64_array : napi_bigint64_array,
            data.ints);
        break;
      default:
        filler.Fill(napi_int32_array, data.offsets);
        filler.Fill(napi_uint8_array, data.bytes);
    }
  }
}

}  // namespace tfr::addon
