#ifndef TFR_DUCKDB_EXTENSION_PLACES_H_
#define TFR_DUCKDB_EXTENSION_PLACES_H_

#include <cstddef>
#include <string_view>

#include "duckdb/api.h"

/// The places of functions in the array that DuckDB hands to extensions of its
/// C API, version 1.2.0. Later versions only append, so places never change.
namespace tfr::duckdb {

/// The version of the array, as extensions request it and name it in their
/// footer.
inline constexpr char kApiVersion[] = "v1.2.0";

struct Place {
  std::string_view name;
  size_t index;
};

// clang-format off
inline constexpr Place kPlaces[] = {
    {"duckdb_connect", 3},
    {"duckdb_disconnect", 6},
    {"duckdb_free", 25},
    {"duckdb_vector_size", 26},
    {"duckdb_destroy_value", 92},
    {"duckdb_get_value_type", 136},
    {"duckdb_get_varchar", 142},
    {"duckdb_is_null_value", 149},
    {"duckdb_get_list_size", 151},
    {"duckdb_get_list_child", 152},
    {"duckdb_create_logical_type", 156},
    {"duckdb_create_list_type", 159},
    {"duckdb_create_array_type", 160},
    {"duckdb_get_type_id", 166},
    {"duckdb_destroy_logical_type", 184},
    {"duckdb_data_chunk_get_vector", 190},
    {"duckdb_data_chunk_set_size", 192},
    {"duckdb_vector_get_data", 194},
    {"duckdb_vector_get_validity", 195},
    {"duckdb_vector_ensure_validity_writable", 196},
    {"duckdb_vector_assign_string_element_len", 198},
    {"duckdb_list_vector_get_child", 199},
    {"duckdb_list_vector_set_size", 201},
    {"duckdb_list_vector_reserve", 202},
    {"duckdb_array_vector_get_child", 204},
    {"duckdb_create_table_function", 242},
    {"duckdb_destroy_table_function", 243},
    {"duckdb_table_function_set_name", 244},
    {"duckdb_table_function_add_parameter", 245},
    {"duckdb_table_function_add_named_parameter", 246},
    {"duckdb_table_function_set_extra_info", 247},
    {"duckdb_table_function_set_bind", 248},
    {"duckdb_table_function_set_init", 249},
    {"duckdb_table_function_set_function", 251},
    {"duckdb_table_function_supports_projection_pushdown", 252},
    {"duckdb_register_table_function", 253},
    {"duckdb_bind_get_extra_info", 254},
    {"duckdb_bind_add_result_column", 255},
    {"duckdb_bind_get_parameter", 257},
    {"duckdb_bind_get_named_parameter", 258},
    {"duckdb_bind_set_bind_data", 259},
    {"duckdb_bind_set_error", 261},
    {"duckdb_init_get_extra_info", 262},
    {"duckdb_init_get_bind_data", 263},
    {"duckdb_init_set_init_data", 264},
    {"duckdb_init_get_column_count", 265},
    {"duckdb_init_get_column_index", 266},
    {"duckdb_init_set_max_threads", 267},
    {"duckdb_init_set_error", 268},
    {"duckdb_function_get_extra_info", 269},
    {"duckdb_function_get_init_data", 271},
    {"duckdb_function_set_error", 273},
};
// clang-format on

inline constexpr size_t kNoPlace = ~size_t{0};

constexpr size_t PlaceOf(std::string_view name) {
  for (const Place& place : kPlaces) {
    if (place.name == name) return place.index;
  }
  return kNoPlace;
}

#define TFR_DUCKDB_HAS_PLACE(name, result, arguments) \
  static_assert(PlaceOf("duckdb_" #name) != kNoPlace, \
                "duckdb_" #name " has no place in kPlaces");
TFR_DUCKDB_FUNCTIONS(TFR_DUCKDB_HAS_PLACE)
#undef TFR_DUCKDB_HAS_PLACE

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_PLACES_H_
