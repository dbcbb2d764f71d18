#ifndef TFR_DUCKDB_API_H_
#define TFR_DUCKDB_API_H_

#include <cstddef>
#include <cstdint>

/// The part of DuckDB's C API that the table function uses, all of it stable
/// since version 1.2.0. The functions are looked up in the DuckDB that runs:
/// nothing is linked.
namespace tfr::duckdb {

// Opaque handles, each a type of its own.
using TableFunction = struct TableFunctionHandle*;
using Connection = struct ConnectionHandle*;
using LogicalType = struct LogicalTypeHandle*;
using Value = struct ValueHandle*;
using BindInfo = struct BindInfoHandle*;
using InitInfo = struct InitInfoHandle*;
using FunctionInfo = struct FunctionInfoHandle*;
using DataChunk = struct DataChunkHandle*;
using Vector = struct VectorHandle*;

using Delete = void (*)(void*);
using BindCall = void (*)(BindInfo);
using InitCall = void (*)(InitInfo);
using FillCall = void (*)(FunctionInfo, DataChunk);

/// `duckdb_state`.
using State = int;
inline constexpr State kSuccess = 0;

/// `duckdb_type`.
using Type = int;
inline constexpr Type kBigint = 5;
inline constexpr Type kFloat = 10;
inline constexpr Type kDouble = 11;
inline constexpr Type kVarchar = 17;
inline constexpr Type kBlob = 18;
inline constexpr Type kList = 24;
inline constexpr Type kAny = 34;

/// A value of a list vector: its items in the child vector.
struct ListEntry {
  uint64_t offset;
  uint64_t length;
};

/// Strings of up to this size are in the String itself.
inline constexpr uint32_t kInlineBytes = 12;

/// A value of a VARCHAR or BLOB vector.
struct String {
  uint32_t length;
  /// All bytes of a short string; the first four of a longer one, whose address
  /// follows.
  char inlined[4];
  union {
    char more[8];
    const char* data;
  };
};
static_assert(sizeof(String) == 16);

// clang-format off
#define TFR_DUCKDB_FUNCTIONS(X)                                            \
  X(free, void, (void*))                                                   \
  X(create_table_function, TableFunction, ())                              \
  X(destroy_table_function, void, (TableFunction*))                        \
  X(table_function_set_name, void, (TableFunction, const char*))           \
  X(table_function_add_parameter, void, (TableFunction, LogicalType))      \
  X(table_function_add_named_parameter, void,                              \
    (TableFunction, const char*, LogicalType))                             \
  X(table_function_set_extra_info, void, (TableFunction, void*, Delete))   \
  X(table_function_set_bind, void, (TableFunction, BindCall))              \
  X(table_function_set_init, void, (TableFunction, InitCall))              \
  X(table_function_set_function, void, (TableFunction, FillCall))          \
  X(table_function_supports_projection_pushdown, void,                     \
    (TableFunction, bool))                                                 \
  X(register_table_function, State, (Connection, TableFunction))           \
  X(bind_get_extra_info, void*, (BindInfo))                                \
  X(bind_get_parameter, Value, (BindInfo, uint64_t))                       \
  X(bind_get_named_parameter, Value, (BindInfo, const char*))              \
  X(bind_add_result_column, void, (BindInfo, const char*, LogicalType))    \
  X(bind_set_bind_data, void, (BindInfo, void*, Delete))                   \
  X(bind_set_error, void, (BindInfo, const char*))                         \
  X(init_get_bind_data, void*, (InitInfo))                                 \
  X(init_get_extra_info, void*, (InitInfo))                                \
  X(init_get_column_count, uint64_t, (InitInfo))                           \
  X(init_get_column_index, uint64_t, (InitInfo, uint64_t))                 \
  X(init_set_init_data, void, (InitInfo, void*, Delete))                   \
  X(init_set_max_threads, void, (InitInfo, uint64_t))                      \
  X(init_set_error, void, (InitInfo, const char*))                         \
  X(function_get_extra_info, void*, (FunctionInfo))                        \
  X(function_get_init_data, void*, (FunctionInfo))                         \
  X(function_set_error, void, (FunctionInfo, const char*))                 \
  X(create_logical_type, LogicalType, (Type))                              \
  X(create_list_type, LogicalType, (LogicalType))                          \
  X(create_array_type, LogicalType, (LogicalType, uint64_t))               \
  X(destroy_logical_type, void, (LogicalType*))                            \
  X(get_type_id, Type, (LogicalType))                                      \
  X(get_value_type, LogicalType, (Value))                                  \
  X(is_null_value, bool, (Value))                                          \
  X(get_list_size, uint64_t, (Value))                                      \
  X(get_list_child, Value, (Value, uint64_t))                              \
  X(get_varchar, char*, (Value))                                           \
  X(destroy_value, void, (Value*))                                         \
  X(data_chunk_set_size, void, (DataChunk, uint64_t))                      \
  X(data_chunk_get_vector, Vector, (DataChunk, uint64_t))                  \
  X(vector_size, uint64_t, ())                                             \
  X(vector_get_data, void*, (Vector))                                      \
  X(vector_get_validity, uint64_t*, (Vector))                              \
  X(vector_ensure_validity_writable, void, (Vector))                       \
  X(vector_assign_string_element_len, void,                                \
    (Vector, uint64_t, const char*, uint64_t))                             \
  X(list_vector_get_child, Vector, (Vector))                               \
  X(list_vector_reserve, State, (Vector, uint64_t))                        \
  X(list_vector_set_size, State, (Vector, uint64_t))                       \
  X(array_vector_get_child, Vector, (Vector))
// clang-format on

/// The functions of one loaded DuckDB; a process may have several.
struct Api {
// Arguments are a list of types.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define TFR_DUCKDB_MEMBER(name, result, arguments) \
  result(*name) arguments = nullptr;
  TFR_DUCKDB_FUNCTIONS(TFR_DUCKDB_MEMBER)
#undef TFR_DUCKDB_MEMBER
  // NOLINTEND(bugprone-macro-parentheses)
};

/// Sets all functions to the results of `find`, which gets names such as
/// "duckdb_free". Returns false if it returns null for one.
template <class Find>
[[nodiscard]] bool Load(Api* api, Find find) {
  bool all = true;
#define TFR_DUCKDB_FIND(name, result, arguments)              \
  {                                                           \
    void* const found = find("duckdb_" #name);                \
    api->name = reinterpret_cast<decltype(api->name)>(found); \
    all = all && found != nullptr;                            \
  }
  TFR_DUCKDB_FUNCTIONS(TFR_DUCKDB_FIND)
#undef TFR_DUCKDB_FIND
  return all;
}

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_API_H_
