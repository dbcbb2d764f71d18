#ifndef TFR_DUCKDB_EXTENSION_SETTINGS_H_
#define TFR_DUCKDB_EXTENSION_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/reader_spec.h"
#include "duckdb/table_function.h"

namespace tfr::duckdb {

enum class OnError : uint8_t { kThrow, kSkip, kStop };

/// The named parameters of a query.
struct Settings {
  std::optional<std::string> spec;
  Compression compression = Compression::kAuto;
  Verify verify = Verify::kAll;
  uint64_t max_record_bytes = 0x7fffffff;
  OnError on_error = OnError::kThrow;
  bool filename = false;
  bool file_row_number = false;
  bool record_offset = false;
};

/// Names and types of the parameters.
std::vector<Parameter> FileParameters();

/// Checks the texts of the parameters that a query sets. Throws QueryError
/// ERR_INVALID_ARG_VALUE.
Settings SettingsOf(
    const std::vector<std::pair<std::string, std::string>>& named);

/// The spec of a reader. `skips`: reading goes on after damage.
ReaderSpec SpecOf(const Settings& settings, bool skips);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_SETTINGS_H_
