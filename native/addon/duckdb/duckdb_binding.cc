#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/duckdb/js_caller.h"
#include "addon/duckdb/js_host.h"
#include "addon/duckdb/js_object.h"
#include "addon/duckdb/loaded_library.h"
#include "duckdb/pushed_rows.h"
#include "duckdb/sample.h"
#include "duckdb/table_function.h"

namespace tfr::addon {
namespace {

/// The tag of the connections of @duckdb/node-bindings.
constexpr napi_type_tag kConnectionTag = {0x922b9bf54ab04dfc,
                                          0x8a258578d371db71};

/// The beginning of the memory behind such a connection.
struct BoundConnection {
  duckdb::Connection connection;
};

/// Returns the open connection behind `value`; null for anything else.
duckdb::Connection ConnectionOf(const Napi::Value& value) {
  const napi_env env = value.Env();
  bool right = false;
  void* data = nullptr;
  if (!value.IsExternal() ||
      napi_check_object_type_tag(env, value, &kConnectionTag, &right) !=
          napi_ok ||
      !right || napi_get_value_external(env, value, &data) != napi_ok ||
      data == nullptr) {
    return nullptr;
  }
  return static_cast<const BoundConnection*>(data)->connection;
}

/// Adds the table function `info[2]` to the connection `info[1]` of the DuckDB
/// in the library `info[0]`.
bool RegisterHost(const Napi::CallbackInfo& info,
                  std::vector<duckdb::Parameter> parameters,
                  std::shared_ptr<duckdb::Host> host) {
  const duckdb::Connection connection = ConnectionOf(info[1]);
  const LoadedLibrary library(info[0].As<Napi::String>());
  duckdb::Api api;
  const auto find = [&](const char* name) { return library.Find(name); };
  return connection != nullptr && library.found() && duckdb::Load(&api, find) &&
         duckdb::Register(api, connection, info[2].As<Napi::String>(),
                          std::move(parameters), std::move(host));
}

Napi::Value Register(const Napi::CallbackInfo& info) {
  const auto named = info[3].As<Napi::Object>();
  std::vector<duckdb::Parameter> parameters;
  const Napi::Array names = named.GetPropertyNames();
  for (uint32_t i = 0; i < names.Length(); ++i) {
    const Napi::Value name = names.Get(i);
    const int32_t type = named.Get(name).As<Napi::Number>().Int32Value();
    parameters.push_back(
        {name.As<Napi::String>(), static_cast<duckdb::Type>(type)});
  }
  const bool done = RegisterHost(info, std::move(parameters),
                                 NewJsHost(info[4].As<Napi::Object>()));
  return Napi::Boolean::New(info.Env(), done);
}

// ---- Rows that JavaScript pushes

/// A queue, and, until its end, the JavaScript object that hears of batches
/// that were taken.
struct Pushing {
  static constexpr napi_type_tag kTag = {0x5be1d6a7c0934f82,
                                         0x9c27e1f04ab6d35e};

  void Abandon() {
    queue->Fail("TFR_CLOSED: the queue of rows was lost");
    listener.reset();
  }

  std::shared_ptr<duckdb::RowQueue> queue;
  std::shared_ptr<JsObject> listener;
};

/// A batch whose arrays stay alive until DuckDB has taken all rows.
class JsBatch final : public duckdb::PushedBatch {
 public:
  JsBatch(std::shared_ptr<JsObject> listener, const Napi::Object& arrays)
      : listener_(std::move(listener)), arrays_(listener_->caller(), arrays) {}
  ~JsBatch() override {
    listener_->caller()->Post([listener = listener_](Napi::Env env) {
      listener->Call(env, "taken", {});
    });
  }

 private:
  const std::shared_ptr<JsObject> listener_;
  const JsObject arrays_;
};

template <class T>
const T* MemoryOf(const Napi::Value& array, napi_typedarray_type type) {
  if (array.IsUndefined()) return nullptr;
  return static_cast<const T*>(
      GetArray(array, type, "tfrecord: not an array of a column").data);
}

const void* ValuesOf(const Napi::Value& array, duckdb::Type type) {
  switch (type) {
    case duckdb::kBigint:
      return MemoryOf<int64_t>(array, napi_bigint64_array);
    case duckdb::kFloat:
      return MemoryOf<float>(array, napi_float32_array);
    case duckdb::kDouble:
      return MemoryOf<double>(array, napi_float64_array);
    default:
      return MemoryOf<uint8_t>(array, napi_uint8_array);
  }
}

Napi::Value NewQueue(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto queue =
      std::make_shared<duckdb::RowQueue>(ColumnsIn(info[3].As<Napi::Array>()));
  if (!RegisterHost(info, {}, duckdb::NewPushedHost(queue))) {
    return env.Undefined();
  }
  auto pushing = std::make_shared<Pushing>();
  pushing->queue = queue;
  auto caller = std::make_shared<JsCaller>(env, [queue = std::move(queue)] {
    queue->Fail("TFR_CLOSED: the thread that pushed the rows has ended");
  });
  pushing->listener =
      std::make_shared<JsObject>(std::move(caller), info[4].As<Napi::Object>());
  return NewHandle(env, std::move(pushing));
}

Napi::Value Push(const Napi::CallbackInfo& info) {
  const auto pushing = GetHandle<Pushing>(info[0]);
  if (pushing->listener == nullptr) return info.Env().Undefined();
  const auto arrays = info[2].As<Napi::Array>();
  auto batch = std::make_unique<JsBatch>(pushing->listener, arrays);
  batch->rows = info[1].As<Napi::Number>().Uint32Value();
  uint32_t at = 0;
  for (const duckdb::Column& column : pushing->queue->columns()) {
    duckdb::ColumnView view;
    view.validity = MemoryOf<uint8_t>(arrays.Get(at++), napi_uint8_array);
    view.steps = MemoryOf<int32_t>(arrays.Get(at++), napi_int32_array);
    view.splits = MemoryOf<int32_t>(arrays.Get(at++), napi_int32_array);
    view.offsets = MemoryOf<int32_t>(arrays.Get(at++), napi_int32_array);
    view.values = ValuesOf(arrays.Get(at++), column.type);
    batch->columns.push_back(view);
  }
  pushing->queue->Push(std::move(batch));
  return info.Env().Undefined();
}

Napi::Value EndQueue(const Napi::CallbackInfo& info) {
  const auto pushing = GetHandle<Pushing>(info[0]);
  if (info[1].IsUndefined()) {
    pushing->queue->End();
  } else {
    pushing->queue->Fail(info[1].As<Napi::String>());
  }
  // The listener may hold the queue.
  pushing->listener.reset();
  return info.Env().Undefined();
}

/// Returns `DuckdbSample`, or undefined.
Napi::Value SampleValue(Napi::Env env, const duckdb::Sample& sample) {
  Napi::Array columns = Napi::Array::New(env, sample.columns.size());
  for (size_t i = 0; i < sample.columns.size(); ++i) {
    const Napi::HandleScope scope(env);
    const duckdb::SampledColumn& column = sample.columns[i];
    const auto number = [env](auto value) {
      return Napi::Number::New(env, static_cast<double>(value));
    };
    Napi::Object object = Napi::Object::New(env);
    object.DefineProperties({
        Field("key", Napi::String::New(env, column.key)),
        Field("section", number(column.section)),
        Field("kind", number(column.kind)),
        Field("text", Napi::Boolean::New(env, column.text)),
        Field("single", Napi::Boolean::New(env, column.single)),
    });
    columns.DefineProperty(Element(env, i, object));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("columns", columns),
      Field("sequence", Napi::Boolean::New(env, sample.sequence)),
  });
  return object;
}

Napi::Value TakeSample(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  bool faulty = false;
  const auto refuse = [&faulty](const duckdb::SampleFault&) {
    faulty = true;
    return duckdb::Verdict::kError;
  };
  duckdb::Sample sample;
  try {
    sample = duckdb::TakeSample(FilesIn(info[0].As<Napi::Array>()), refuse);
  } catch (const std::bad_alloc&) {
    faulty = true;
  }
  return faulty ? env.Undefined() : SampleValue(env, sample);
}

void End(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  JsCaller::EndAll(env);
}

}  // namespace

void ExportDuckdb(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Register>(env, "duckdbRegister"),
      Export<NewQueue>(env, "duckdbQueue"),
      Export<Push>(env, "duckdbPush"),
      Export<EndQueue>(env, "duckdbEndQueue"),
      Export<TakeSample>(env, "duckdbSample"),
      Export<End>(env, "duckdbEnd"),
  });
}

}  // namespace tfr::addon
