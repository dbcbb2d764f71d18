#include "addon/duckdb/js_host.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/duckdb/js_object.h"
#include "addon/example/columns_value.h"
#include "addon/example/parser.h"
#include "addon/reading.h"

namespace tfr::addon {
namespace {

constexpr const char* kEnded =
    "TFR_CLOSED: the thread that registered this function has ended";

Napi::Number NumberValue(Napi::Env env, uint64_t number) {
  return Napi::Number::New(env, static_cast<double>(number));
}

size_t SizeIn(const Napi::Object& object, const char* name) {
  return static_cast<size_t>(object.Get(name).As<Napi::Number>().Int64Value());
}

std::string TextIn(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::String>();
}

/// Runs `call` on the JavaScript thread. Returns false, with `*error` set, if
/// that is not possible, or if `call` returns a text, which is the error.
bool Ask(JsCaller* caller, std::string* error,
         const std::function<Napi::Value(Napi::Env)>& call,
         const std::function<void(Napi::Object)>& take) {
  bool refused = false;
  const bool ran = caller->Run([&](Napi::Env env) {
    const Napi::Value result = call(env);
    if (result.IsString()) {
      *error = result.As<Napi::String>();
      refused = true;
    } else {
      take(result.As<Napi::Object>());
    }
  });
  if (!ran) *error = kEnded;
  return ran && !refused;
}

Napi::Value ArgumentsValue(Napi::Env env, const duckdb::Arguments& arguments) {
  using Paths = duckdb::Arguments::Paths;
  Napi::Value paths =
      arguments.kind == Paths::kNull ? env.Null() : env.Undefined();
  if (arguments.kind == Paths::kList) {
    Napi::Array list = Napi::Array::New(env, arguments.paths.size());
    for (size_t i = 0; i < arguments.paths.size(); ++i) {
      list.DefineProperty(
          Element(env, i, Napi::String::New(env, arguments.paths[i])));
    }
    paths = list;
  }
  Napi::Object named = Napi::Object::New(env);
  for (const auto& [name, value] : arguments.named) {
    named.DefineProperty(Field(name.c_str(), Napi::String::New(env, value)));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({Field("paths", paths), Field("named", named)});
  return object;
}

duckdb::Column ColumnOf(const Napi::Object& object) {
  duckdb::Column column;
  column.name = TextIn(object, "name");
  column.type = static_cast<duckdb::Type>(SizeIn(object, "type"));
  const auto levels = object.Get("levels").As<Napi::Array>();
  for (uint32_t i = 0; i + 1 < levels.Length(); i += 2) {
    const uint32_t kind = levels.Get(i).As<Napi::Number>().Uint32Value();
    const uint32_t size = levels.Get(i + 1).As<Napi::Number>().Uint32Value();
    column.levels.push_back({static_cast<duckdb::Level::Kind>(kind), size});
  }
  return column;
}

duckdb::File FileOf(const Napi::Object& object) {
  duckdb::File file;
  file.name = TextIn(object, "name");
  file.path = TextIn(object, "path");
  const Napi::Value spec = object.Get("spec");
  file.refused = spec.IsUndefined();
  if (!file.refused) file.spec = DecodeSpec(spec);
  return file;
}

/// Decodes `DuckdbPlace`.
duckdb::ScanColumn::Kind PlaceOf(int32_t number) {
  using Column = duckdb::ScanColumn;
  if (number == -1) return Column::kFileName;
  return number == -2 ? Column::kRecordNumber : Column::kRecordOffset;
}

class JsReading final : public duckdb::Reading {
 public:
  JsReading(Caller caller, const Napi::Object& object)
      : object_(std::move(caller), object) {
    NeedThreads(object.Env());
    plan = GetHandle<Parser>(object.Get("parser"))->plan;
    const auto used = object.Get("columns").As<Napi::Array>();
    for (uint32_t i = 0; i < used.Length(); ++i) {
      const int32_t index = used.Get(i).As<Napi::Number>().Int32Value();
      duckdb::ScanColumn column;
      if (index >= 0 && static_cast<size_t>(index) < plan->columns.size()) {
        column.index = static_cast<size_t>(index);
      } else {
        column.kind = PlaceOf(index);
      }
      columns.push_back(column);
    }
    files = FilesIn(object.Get("files").As<Napi::Array>());
    refuses_events = object.Get("refusesEvents").ToBoolean();
    reports = object.Get("reports").ToBoolean();
  }

  duckdb::Verdict Judge(const duckdb::Event& event,
                        std::string* error) override {
    duckdb::Verdict verdict = duckdb::Verdict::kError;
    const bool ran = object_.caller()->Run([&](Napi::Env env) {
      const Napi::Value result =
          object_.Call(env, "judge", {EventValue(env, event)});
      if (result.IsString()) {
        *error = result.As<Napi::String>();
      } else {
        verdict = static_cast<duckdb::Verdict>(
            result.As<Napi::Number>().Uint32Value());
      }
    });
    if (!ran) *error = kEnded;
    return verdict;
  }

 private:
  static Napi::Value EventValue(Napi::Env env, const duckdb::Event& event) {
    Napi::Object object = Napi::Object::New(env);
    object.DefineProperties({
        Field("kind", NumberValue(env, event.kind)),
        Field("file", NumberValue(env, event.file)),
        Field("passed", NumberValue(env, event.passed)),
        Field("record", NumberValue(env, event.record)),
        Field("offset", NumberValue(env, event.offset)),
        Field("index", NumberValue(env, event.index)),
    });
    if (event.fault != nullptr) {
      const RowFault& fault = *event.fault;
      object.DefineProperties({
          Field("data", FaultValue(env, fault.data)),
          Field("type", NumberValue(env, static_cast<uint64_t>(fault.type))),
          Field("parse", fault.parse
                             ? ParseFaultValue(env, fault.parse, event.index)
                             : env.Undefined()),
      });
    }
    if (event.text != nullptr) {
      object.DefineProperties({
          Field("column", NumberValue(env, event.text->column)),
          Field("bytes", NumberValue(env, event.text->bytes)),
      });
    }
    if (event.piece != nullptr) {
      const Piece& piece = *event.piece;
      const bool sized = piece.total_bytes != kUnknown;
      object.DefineProperties({
          Field("firstType",
                NumberValue(env, static_cast<uint64_t>(piece.first_type))),
          Field("halt", FaultValue(env, piece.halt)),
          Field("compression",
                NumberValue(env, static_cast<uint64_t>(piece.compression))),
          Field("compressedBytes", NumberValue(env, piece.compressed_bytes)),
          Field("totalBytes", sized ? NumberValue(env, piece.total_bytes)
                                    : Napi::Number::New(env, -1)),
      });
    }
    return object;
  }

  const JsObject object_;
};

class JsQuery final : public duckdb::ReadingQuery {
 public:
  JsQuery(Caller caller, const Napi::Object& object)
      : object_(std::move(caller), object) {
    columns = ColumnsIn(object.Get("columns").As<Napi::Array>());
  }

  std::unique_ptr<duckdb::Reading> Begin(const std::vector<uint64_t>& used,
                                         std::string* error) override {
    std::unique_ptr<duckdb::Reading> reading;
    const auto call = [&](Napi::Env env) {
      Napi::Array indices = Napi::Array::New(env, used.size());
      for (size_t i = 0; i < used.size(); ++i) {
        indices.DefineProperty(Element(env, i, NumberValue(env, used[i])));
      }
      return object_.Call(env, "begin", {indices});
    };
    const auto take = [&](const Napi::Object& result) {
      reading = std::make_unique<JsReading>(object_.caller(), result);
    };
    if (!Ask(object_.caller().get(), error, call, take)) return nullptr;
    return reading;
  }

 private:
  const JsObject object_;
};

class JsHost final : public duckdb::Host {
 public:
  explicit JsHost(const Napi::Object& host)
      : object_(std::make_shared<JsCaller>(host.Env()), host) {}

  std::unique_ptr<duckdb::Query> Bind(const duckdb::Arguments& arguments,
                                      std::string* error) override {
    std::unique_ptr<duckdb::Query> query;
    const auto call = [&](Napi::Env env) {
      return object_.Call(env, "bind", {ArgumentsValue(env, arguments)});
    };
    const auto take = [&](const Napi::Object& result) {
      query = std::make_unique<JsQuery>(object_.caller(), result);
    };
    if (!Ask(object_.caller().get(), error, call, take)) return nullptr;
    return query;
  }

 private:
  const JsObject object_;
};

}  // namespace

std::vector<duckdb::Column> ColumnsIn(const Napi::Array& list) {
  std::vector<duckdb::Column> columns;
  columns.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    columns.push_back(ColumnOf(list.Get(i).As<Napi::Object>()));
  }
  return columns;
}

std::vector<duckdb::File> FilesIn(const Napi::Array& list) {
  std::vector<duckdb::File> files;
  files.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::HandleScope scope(list.Env());
    files.push_back(FileOf(list.Get(i).As<Napi::Object>()));
  }
  return files;
}

std::shared_ptr<duckdb::Host> NewJsHost(const Napi::Object& host) {
  return std::make_shared<JsHost>(host);
}

}  // namespace tfr::addon
