#ifndef TFR_DUCKDB_EXTENSION_FILES_SHARDS_H_
#define TFR_DUCKDB_EXTENSION_FILES_SHARDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfr::duckdb {

/// The shards that `name@N`, `name@N.gz` or `name-?????-of-NNNNN` means, as
/// `ShardSet` of lib/io/files/shards.ts.
struct ShardSet {
  /// The texts around the numbers. The first form whose files exist is read.
  struct Form {
    std::string base;
    std::string end;
  };
  std::vector<Form> forms;
  uint32_t count = 0;
  size_t digits = 0;

  /// The paths of all shards, in order.
  std::vector<std::string> Paths(const Form& form) const;
};

/// True if `end` is the end of `text`.
bool EndsWith(const std::string& text, const std::string& end);

/// True for `name@N`, whatever N is.
bool IsCounted(const std::string& name);

/// Absent for names of another form, and for N out of range.
std::optional<ShardSet> ShardSetOf(const std::string& name);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_FILES_SHARDS_H_
