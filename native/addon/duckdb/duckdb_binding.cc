#include <new>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/duckdb/js_caller.h"
#include "addon/duckdb/js_host.h"
#include "addon/duckdb/loaded_library.h"
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

Napi::Value Register(const Napi::CallbackInfo& info) {
  const duckdb::Connection connection = ConnectionOf(info[1]);
  bool done = false;
  const LoadedLibrary library(info[0].As<Napi::String>());
  duckdb::Api api;
  const auto find = [&](const char* name) { return library.Find(name); };
  if (connection != nullptr && library.found() && duckdb::Load(&api, find)) {
    const auto named = info[3].As<Napi::Object>();
    std::vector<duckdb::Parameter> parameters;
    const Napi::Array names = named.GetPropertyNames();
    for (uint32_t i = 0; i < names.Length(); ++i) {
      const Napi::Value name = names.Get(i);
      const int32_t type = named.Get(name).As<Napi::Number>().Int32Value();
      parameters.push_back(
          {name.As<Napi::String>(), static_cast<duckdb::Type>(type)});
    }
    done = duckdb::Register(api, connection, info[2].As<Napi::String>(),
                            std::move(parameters),
                            NewJsHost(info[4].As<Napi::Object>()));
  }
  return Napi::Boolean::New(info.Env(), done);
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
      Export<TakeSample>(env, "duckdbSample"),
      Export<End>(env, "duckdbEnd"),
  });
}

}  // namespace tfr::addon
