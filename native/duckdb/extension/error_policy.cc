#include "duckdb/extension/error_policy.h"

#include <string>

#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

/// Records from which on the share of errors is checked; one in as many as
/// `kMaxShare` may be skipped.
constexpr uint64_t kCheckedFrom = 1000;
constexpr uint64_t kMaxShare = 100;

}  // namespace

bool ErrorPolicy::Skips(const FileError& error) {
  if (action_ == OnError::kThrow) throw QueryError(error.line());
  if (action_ == OnError::kStop) return false;
  const uint64_t skips = skipped_ + 1;
  const uint64_t all = records_ + skips;
  if (all >= kCheckedFrom && kMaxShare * skips > all) {
    throw QueryError(
        error.code,
        std::to_string(skips) + " of " + Counted(all, "record") +
            " would be skipped, more than 1 %; the last: " + error.text);
  }
  skipped_ = skips;
  if (error.foreign && !foreign_) foreign_ = error;
  return true;
}

void ErrorPolicy::Ended() const {
  if (records_ == 0 && foreign_) throw QueryError(foreign_->line());
}

}  // namespace tfr::duckdb
