#ifndef TFR_DUCKDB_EXTENSION_FILE_READING_H_
#define TFR_DUCKDB_EXTENSION_FILE_READING_H_

#include <string>
#include <vector>

#include "duckdb/extension/error_policy.h"
#include "duckdb/extension/files/found_files.h"
#include "duckdb/extension/settings.h"
#include "duckdb/host.h"

namespace tfr::duckdb {

/// One pass over the files of a query. The caller sets plan and columns.
class FileReading final : public Reading {
 public:
  /// `sampled`: the columns are those of the first records.
  FileReading(std::vector<FoundFile> found, const Settings& settings,
              bool sampled);

  Verdict Judge(const Event& event, std::string* error) override;

 private:
  Verdict Decide(const Event& event);
  FileError ErrorOf(const Event& event) const;

  const std::vector<FoundFile> found_;
  const bool sampled_;
  ErrorPolicy policy_;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_FILE_READING_H_
