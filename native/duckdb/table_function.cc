#include "duckdb/table_function.h"

#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace tfr::duckdb {
namespace {

/// The state that all queries of the function share, each by a pointer.
struct Registration {
  const Api* api;
  std::vector<Parameter> parameters;
  std::shared_ptr<Host> host;
};

using Shared = std::shared_ptr<const Registration>;

struct Bound {
  Shared registration;
  std::unique_ptr<Query> query;
};

template <class T>
void DeleteAs(void* data) {
  delete static_cast<T*>(data);
}

/// Runs `call`, which returns false with an error text. No exception may reach
/// DuckDB.
template <class Call, class SetError>
void Guarded(Call call, SetError set_error) {
  std::string error;
  try {
    if (call(&error)) return;
  } catch (const std::bad_alloc&) {
    return set_error("ENOMEM: not enough memory");
  } catch (const std::exception& exception) {
    return set_error(exception.what());
  }
  set_error(error.c_str());
}

class Text {
 public:
  Text(const Api& api, Value value)
      : api_(api), text_(api.get_varchar(value)) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { api_.free(text_); }

  std::string str() const { return text_ == nullptr ? "" : text_; }

 private:
  const Api& api_;
  char* const text_;
};

/// A value of DuckDB; may be null.
class OwnValue {
 public:
  OwnValue(const Api& api, Value value) : api_(api), value_(value) {}
  OwnValue(const OwnValue&) = delete;
  OwnValue& operator=(const OwnValue&) = delete;
  ~OwnValue() {
    if (value_ != nullptr) api_.destroy_value(&value_);
  }

  bool null() const { return value_ == nullptr || api_.is_null_value(value_); }
  // The type belongs to the value.
  bool is(Type type) const {
    return api_.get_type_id(api_.get_value_type(value_)) == type;
  }
  std::string text() const { return Text(api_, value_).str(); }
  Value get() const { return value_; }

 private:
  const Api& api_;
  Value value_;
};

void ReadPaths(const Api& api, const OwnValue& value, Arguments* arguments) {
  if (value.null()) {
    arguments->kind = Arguments::Paths::kNull;
    return;
  }
  if (value.is(kVarchar)) {
    arguments->paths.push_back(value.text());
  } else if (value.is(kList)) {
    const uint64_t size = api.get_list_size(value.get());
    for (uint64_t i = 0; i < size; ++i) {
      const OwnValue item(api, api.get_list_child(value.get(), i));
      if (item.null() || !item.is(kVarchar)) return;
      arguments->paths.push_back(item.text());
    }
  } else {
    return;
  }
  arguments->kind = Arguments::Paths::kList;
}

Arguments ReadArguments(const Registration& registration, BindInfo info) {
  const Api& api = *registration.api;
  Arguments arguments;
  ReadPaths(api, {api, api.bind_get_parameter(info, 0)}, &arguments);
  for (const Parameter& parameter : registration.parameters) {
    const char* const name = parameter.name.c_str();
    const OwnValue value(api, api.bind_get_named_parameter(info, name));
    if (!value.null()) {
      arguments.named.emplace_back(parameter.name, value.text());
    }
  }
  return arguments;
}

bool BindQuery(const Shared& registration, BindInfo info, std::string* error) {
  const Api& api = *registration->api;
  auto bound = std::make_unique<Bound>();
  bound->registration = registration;
  bound->query =
      registration->host->Bind(ReadArguments(*registration, info), error);
  if (bound->query == nullptr) return false;
  for (const Column& column : bound->query->columns) {
    LogicalType type = NewType(api, column);
    api.bind_add_result_column(info, column.name.c_str(), type);
    api.destroy_logical_type(&type);
  }
  api.bind_set_bind_data(info, bound.release(), DeleteAs<Bound>);
  return true;
}

bool BeginQuery(const Api& api, InitInfo info, std::string* error) {
  const auto* const bound =
      static_cast<const Bound*>(api.init_get_bind_data(info));
  std::vector<uint64_t> used(api.init_get_column_count(info));
  for (size_t i = 0; i < used.size(); ++i) {
    used[i] = api.init_get_column_index(info, i);
  }
  std::unique_ptr<Rows> rows = bound->query->Open(api, used, error);
  if (rows == nullptr) return false;
  api.init_set_init_data(info, rows.release(), DeleteAs<Rows>);
  // One thread, so that rows keep their order.
  api.init_set_max_threads(info, 1);
  return true;
}

/// The APIs of the DuckDBs of this process, never freed. A callback cannot
/// learn from its arguments which DuckDB calls it, so each has callbacks of its
/// own.
constexpr size_t kApis = 4;
std::mutex apis_mutex;
size_t apis_used = 0;
Api apis[kApis];

/// The callbacks of DuckDB number `kSlot`.
template <size_t kSlot>
struct Calls {
  static const Api& api() { return apis[kSlot]; }

  static void Bind(BindInfo info) {
    Guarded(
        [info](std::string* error) {
          const Shared& registration =
              *static_cast<Shared*>(api().bind_get_extra_info(info));
          return BindQuery(registration, info, error);
        },
        [info](const char* text) { api().bind_set_error(info, text); });
  }

  static void Init(InitInfo info) {
    Guarded(
        [info](std::string* error) { return BeginQuery(api(), info, error); },
        [info](const char* text) { api().init_set_error(info, text); });
  }

  static void Fill(FunctionInfo info, DataChunk chunk) {
    Guarded(
        [info, chunk](std::string* error) {
          auto* const rows =
              static_cast<Rows*>(api().function_get_init_data(info));
          return rows->Fill(chunk, error);
        },
        [info](const char* text) { api().function_set_error(info, text); });
  }
};

struct CallsOfSlot {
  BindCall bind;
  InitCall init;
  FillCall fill;
};

template <size_t... kSlots>
CallsOfSlot CallsAt(size_t slot, std::index_sequence<kSlots...>) {
  const CallsOfSlot all[] = {
      {Calls<kSlots>::Bind, Calls<kSlots>::Init, Calls<kSlots>::Fill}...};
  return all[slot];
}

/// Returns the slot of `api`; kApis if there is none left.
size_t SlotOf(const Api& api) {
  const std::lock_guard<std::mutex> lock(apis_mutex);
  for (size_t i = 0; i < apis_used; ++i) {
    if (apis[i].bind_get_parameter == api.bind_get_parameter) return i;
  }
  if (apis_used == kApis) return kApis;
  apis[apis_used] = api;
  return apis_used++;
}

}  // namespace

bool Register(const Api& own, Connection connection, const std::string& name,
              std::vector<Parameter> parameters, std::shared_ptr<Host> host) {
  const size_t slot = SlotOf(own);
  if (slot == kApis) return false;
  const Api& api = apis[slot];
  const CallsOfSlot calls = CallsAt(slot, std::make_index_sequence<kApis>());
  TableFunction function = api.create_table_function();
  api.table_function_set_name(function, name.c_str());
  LogicalType any = api.create_logical_type(kAny);
  api.table_function_add_parameter(function, any);
  api.destroy_logical_type(&any);
  for (const Parameter& parameter : parameters) {
    LogicalType type = api.create_logical_type(parameter.type);
    api.table_function_add_named_parameter(function, parameter.name.c_str(),
                                           type);
    api.destroy_logical_type(&type);
  }
  api.table_function_set_bind(function, calls.bind);
  api.table_function_set_init(function, calls.init);
  api.table_function_set_function(function, calls.fill);
  api.table_function_supports_projection_pushdown(function, true);
  auto registration = std::make_shared<const Registration>(
      Registration{&api, std::move(parameters), std::move(host)});
  // Belongs to the function, which frees it with its last use.
  api.table_function_set_extra_info(
      function, new Shared(std::move(registration)), DeleteAs<Shared>);
  const bool done =
      api.register_table_function(connection, function) == kSuccess;
  api.destroy_table_function(&function);
  return done;
}

}  // namespace tfr::duckdb
