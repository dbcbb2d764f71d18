#ifndef TFR_TEST_DUCKDB_FAKE_DUCKDB_H_
#define TFR_TEST_DUCKDB_FAKE_DUCKDB_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "duckdb/api.h"

/// A DuckDB with the part of the C API that table functions use, and with no
/// threads: the test calls a scan from any thread, as DuckDB does. Unlike the
/// real library, it is built with the test's sanitizer, and every vector has
/// exactly the memory that the API grants.
namespace tfr::duckdb {

/// Rows of a chunk: fewer than DuckDB's 2,048, so that pieces are cut often.
inline constexpr uint64_t kVectorSize = 256;

struct LogicalTypeHandle {
  Type id;
  uint64_t size = 0;
  std::shared_ptr<const LogicalTypeHandle> inner;
};

struct ValueHandle {
  LogicalTypeHandle type;
  std::string text;
  std::vector<std::string> items;
};

using Owned = std::shared_ptr<void>;

struct TableFunctionHandle {
  std::string name;
  Owned extra;
  BindCall bind = nullptr;
  InitCall init = nullptr;
  FillCall fill = nullptr;
};

struct ConnectionHandle {
  std::map<std::string, TableFunctionHandle> functions;
};

struct BindInfoHandle {
  const TableFunctionHandle* function;
  std::vector<std::string> paths;
  std::map<std::string, std::string> named;
  std::vector<std::pair<std::string, LogicalTypeHandle>> columns;
  Owned data;
  std::string error;
};

struct InitInfoHandle {
  const BindInfoHandle* bound;
  std::vector<uint64_t> used;
  uint64_t threads = 0;
  Owned data;
  std::string error;
};

struct FunctionInfoHandle {
  const InitInfoHandle* init;
  std::string error;
};

struct VectorHandle {
  explicit VectorHandle(LogicalTypeHandle of, uint64_t rows)
      : type(std::move(of)) {
    Reserve(rows);
    if (type.id == kList)
      child = std::make_unique<VectorHandle>(*type.inner, 0);
    if (type.id == kFakeArray) {
      child = std::make_unique<VectorHandle>(*type.inner, rows * type.size);
    }
  }

  void Reserve(uint64_t rows) {
    if (type.id == kFakeArray) {
      if (child) child->Reserve(rows * type.size);
    } else {
      // Moves to new memory, with undefined contents at the end.
      auto fresh = std::make_unique<uint8_t[]>(rows * Width());
      if (data) std::memcpy(fresh.get(), data.get(), capacity * Width());
      data = std::move(fresh);
    }
    capacity = rows;
    if (validity) {
      validity = std::make_unique<uint64_t[]>((rows + 63) / 64);
      std::memset(validity.get(), 0xff, (rows + 63) / 64 * sizeof(uint64_t));
    }
  }

  uint64_t Width() const {
    switch (type.id) {
      case kBigint:
        return 8;
      case kFloat:
        return 4;
      default:
        return 16;
    }
  }

  bool Null(uint64_t row) const {
    return validity && (validity[row / 64] >> (row % 64) & 1U) == 0;
  }

  /// The value of `row`, as text.
  std::string Text(uint64_t row) const {
    if (Null(row)) return "NULL";
    switch (type.id) {
      case kBigint: {
        int64_t value;
        std::memcpy(&value, data.get() + 8 * row, 8);
        return std::to_string(value);
      }
      case kFloat: {
        float value;
        std::memcpy(&value, data.get() + 4 * row, 4);
        char text[32];
        (void)std::snprintf(text, sizeof text, "%g",
                            static_cast<double>(value));
        return text;
      }
      case kList: {
        ListEntry entry;
        std::memcpy(&entry, data.get() + 16 * row, 16);
        if (entry.offset + entry.length > size) return "out of bounds";
        return child->Texts(entry.offset, entry.length);
      }
      case kFakeArray:
        return child->Texts(row * type.size, type.size);
      default: {
        String value;
        std::memcpy(&value, data.get() + 16 * row, 16);
        const bool inlined = value.length <= kInlineBytes;
        const char* const bytes =
            inlined ? reinterpret_cast<const char*>(data.get()) + 16 * row + 4
                    : value.data;
        return std::string(bytes, value.length);
      }
    }
  }

  std::string Texts(uint64_t from, uint64_t count) const {
    std::string text = "[";
    for (uint64_t i = 0; i < count; ++i) {
      text += (i == 0 ? "" : ",") + Text(from + i);
    }
    return text + "]";
  }

  /// DUCKDB_TYPE_ARRAY.
  static constexpr Type kFakeArray = 33;

  LogicalTypeHandle type;
  std::unique_ptr<uint8_t[]> data;
  std::unique_ptr<uint64_t[]> validity;
  std::unique_ptr<VectorHandle> child;
  uint64_t capacity = 0;
  /// Number of items of a list's child.
  uint64_t size = 0;
  std::deque<std::string> strings;
};

struct DataChunkHandle {
  uint64_t size = 0;
  std::vector<std::unique_ptr<VectorHandle>> vectors;
};

namespace fake {

/// Set by a test: no list gets memory.
inline bool& OutOfMemory() {
  static bool value = false;
  return value;
}

inline Owned Own(void* data, Delete free) { return Owned(data, free); }

inline char* CopyOf(const std::string& text) {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

[[noreturn]] inline void Unknown() {
  (void)std::fprintf(stderr, "a function that fake_duckdb.h lacks\n");
  std::abort();
}

/// Sets all functions of `api`; those that are missing here abort.
inline void Fill(Api* api) {
#define TFR_FAKE_UNKNOWN(name, result, arguments) \
  api->name = reinterpret_cast<decltype(api->name)>(&Unknown);
  TFR_DUCKDB_FUNCTIONS(TFR_FAKE_UNKNOWN)
#undef TFR_FAKE_UNKNOWN
  api->free = [](void* data) { std::free(data); };
  api->create_table_function = [] { return new TableFunctionHandle(); };
  api->destroy_table_function = [](TableFunction* f) {
    delete std::exchange(*f, nullptr);
  };
  api->table_function_set_name = [](TableFunction f, const char* name) {
    f->name = name;
  };
  api->table_function_add_parameter = [](TableFunction, LogicalType) {};
  api->table_function_add_named_parameter = [](TableFunction, const char*,
                                               LogicalType) {};
  api->table_function_set_extra_info = [](TableFunction f, void* data,
                                          Delete free) {
    f->extra = Own(data, free);
  };
  api->table_function_set_bind = [](TableFunction f, BindCall call) {
    f->bind = call;
  };
  api->table_function_set_init = [](TableFunction f, InitCall call) {
    f->init = call;
  };
  api->table_function_set_function = [](TableFunction f, FillCall call) {
    f->fill = call;
  };
  api->table_function_supports_projection_pushdown = [](TableFunction, bool) {};
  api->register_table_function = [](Connection to, TableFunction f) -> State {
    return to->functions.emplace(f->name, *f).second ? kSuccess : 1;
  };

  api->bind_get_extra_info = [](BindInfo info) {
    return info->function->extra.get();
  };
  api->bind_get_parameter = [](BindInfo info, uint64_t) {
    const LogicalTypeHandle text{kVarchar, 0, nullptr};
    const bool one = info->paths.size() == 1;
    const LogicalTypeHandle list{
        kList, 0, std::make_shared<const LogicalTypeHandle>(text)};
    return new ValueHandle{one ? text : list, one ? info->paths[0] : "",
                           info->paths};
  };
  api->bind_get_named_parameter = [](BindInfo info, const char* name) {
    const auto found = info->named.find(name);
    return found == info->named.end()
               ? Value{}
               : new ValueHandle{{kVarchar, 0, nullptr}, found->second, {}};
  };
  api->bind_add_result_column = [](BindInfo info, const char* name,
                                   LogicalType type) {
    info->columns.emplace_back(name, *type);
  };
  api->bind_set_bind_data = [](BindInfo info, void* data, Delete free) {
    info->data = Own(data, free);
  };
  api->bind_set_error = [](BindInfo info, const char* error) {
    info->error = error;
  };

  api->init_get_bind_data = [](InitInfo info) {
    return info->bound->data.get();
  };
  api->init_get_extra_info = [](InitInfo info) {
    return info->bound->function->extra.get();
  };
  api->init_get_column_count = [](InitInfo info) -> uint64_t {
    return info->used.size();
  };
  api->init_get_column_index = [](InitInfo info, uint64_t i) {
    return info->used[i];
  };
  api->init_set_init_data = [](InitInfo info, void* data, Delete free) {
    info->data = Own(data, free);
  };
  api->init_set_max_threads = [](InitInfo info, uint64_t threads) {
    info->threads = threads;
  };
  api->init_set_error = [](InitInfo info, const char* error) {
    info->error = error;
  };

  api->function_get_extra_info = [](FunctionInfo info) {
    return info->init->bound->function->extra.get();
  };
  api->function_get_init_data = [](FunctionInfo info) {
    return info->init->data.get();
  };
  api->function_set_error = [](FunctionInfo info, const char* error) {
    info->error = error;
  };

  api->create_logical_type = [](Type id) {
    return new LogicalTypeHandle{id, 0, nullptr};
  };
  api->create_list_type = [](LogicalType inner) {
    return new LogicalTypeHandle{
        kList, 0, std::make_shared<const LogicalTypeHandle>(*inner)};
  };
  api->create_array_type = [](LogicalType inner, uint64_t size) {
    return new LogicalTypeHandle{
        VectorHandle::kFakeArray, size,
        std::make_shared<const LogicalTypeHandle>(*inner)};
  };
  api->destroy_logical_type = [](LogicalType* type) {
    delete std::exchange(*type, nullptr);
  };
  api->get_type_id = [](LogicalType type) { return type->id; };

  api->get_value_type = [](Value value) { return &value->type; };
  api->is_null_value = [](Value) { return false; };
  api->get_list_size = [](Value value) -> uint64_t {
    return value->items.size();
  };
  api->get_list_child = [](Value value, uint64_t i) {
    return new ValueHandle{{kVarchar, 0, nullptr}, value->items[i], {}};
  };
  api->get_varchar = [](Value value) { return CopyOf(value->text); };
  api->destroy_value = [](Value* value) {
    delete std::exchange(*value, nullptr);
  };

  api->data_chunk_set_size = [](DataChunk chunk, uint64_t size) {
    chunk->size = size;
  };
  api->data_chunk_get_vector = [](DataChunk chunk, uint64_t i) {
    return chunk->vectors[i].get();
  };
  api->vector_size = [] { return kVectorSize; };
  api->vector_get_data = [](Vector vector) -> void* {
    return vector->data.get();
  };
  api->vector_get_validity = [](Vector vector) {
    return vector->validity.get();
  };
  api->vector_ensure_validity_writable = [](Vector vector) {
    if (vector->validity) return;
    const uint64_t words = (vector->capacity + 63) / 64;
    vector->validity = std::make_unique<uint64_t[]>(words);
    std::memset(vector->validity.get(), 0xff, words * sizeof(uint64_t));
  };
  api->vector_assign_string_element_len =
      [](Vector vector, uint64_t row, const char* bytes, uint64_t length) {
        String value{};
        value.length = static_cast<uint32_t>(length);
        uint8_t* const to = vector->data.get() + 16 * row;
        if (length <= kInlineBytes) {
          std::memcpy(to, &value, 16);
          std::memcpy(to + 4, bytes, length);
          return;
        }
        vector->strings.emplace_back(bytes, length);
        value.data = vector->strings.back().data();
        std::memcpy(value.inlined, bytes, sizeof value.inlined);
        std::memcpy(to, &value, 16);
      };
  api->list_vector_get_child = [](Vector vector) {
    return vector->child.get();
  };
  api->list_vector_reserve = [](Vector vector, uint64_t size) -> State {
    if (OutOfMemory()) return 1;
    if (size > vector->child->capacity) vector->child->Reserve(size);
    return kSuccess;
  };
  api->list_vector_set_size = [](Vector vector, uint64_t size) -> State {
    vector->size = size;
    return kSuccess;
  };
  api->array_vector_get_child = [](Vector vector) {
    return vector->child.get();
  };
}

inline const Api& FakeApi() {
  static const Api* const api = [] {
    auto* const made = new Api();
    Fill(made);
    return made;
  }();
  return *api;
}

}  // namespace fake
}  // namespace tfr::duckdb

#endif  // TFR_TEST_DUCKDB_FAKE_DUCKDB_H_
