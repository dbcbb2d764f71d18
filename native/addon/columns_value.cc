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
    void* const to = Next(wanted, from.size());
    if (from.size() > 0) std::memcpy(to, from.data(), from.size() * sizeof(T));
  }

  void Fill(const ByteStore& from) {
    void* const to = Next(napi_uint8_array, from.size());
    if (from.size() > 0) from.CopyTo(static_cast<uint8_t*>(to));
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

void WriteSizes(const BatchParser& parser, double* to) {
  const auto behind_first = [](const TypedBuffer<int32_t>& positions) {
    return positions.size() == 0 ? 0.0
                                 : static_cast<double>(positions.size() - 1);
  };
  const std::vector<ColumnPlan>& columns = parser.plan().columns;
  for (size_t i = 0; i < columns.size(); ++i, to += kColumnSizes) {
    const ColumnData& data = parser.column(i);
    to[0] = behind_first(data.steps);
    to[1] = behind_first(data.splits);
    to[2] = static_cast<double>(data.values(columns[i]));
    to[3] = static_cast<double>(data.bytes.size());
  }
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
        filler.Fill(data.bytes);
    }
  }
}

}  // namespace tfr::addon
