#ifndef TFR_DUCKDB_EXTENSION_ERROR_POLICY_H_
#define TFR_DUCKDB_EXTENSION_ERROR_POLICY_H_

#include <cstdint>
#include <optional>

#include "duckdb/extension/fault_text.h"
#include "duckdb/extension/settings.h"

namespace tfr::duckdb {

/// Decides about the errors of one pass over the files, as `onError` of
/// lib/record/error-policy.ts: skips at most 1 % of the records, counted from
/// the 1,000th on.
class ErrorPolicy {
 public:
  explicit ErrorPolicy(OnError action) : action_(action) {}

  /// Counts `records` that were handed out.
  void Passed(uint64_t records) { records_ += records; }

  /// Returns true to skip the error, false to end without one. Throws
  /// QueryError.
  [[nodiscard]] bool Skips(const FileError& error);

  /// Throws QueryError at the end of the data if all of it was foreign.
  void Ended() const;

 private:
  const OnError action_;
  uint64_t records_ = 0;
  uint64_t skipped_ = 0;
  /// The first error about foreign data that was skipped.
  std::optional<FileError> foreign_;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_ERROR_POLICY_H_
