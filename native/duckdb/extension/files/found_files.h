#ifndef TFR_DUCKDB_EXTENSION_FILES_FOUND_FILES_H_
#define TFR_DUCKDB_EXTENSION_FILES_FOUND_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "core/record/reader_spec.h"
#include "duckdb/extension/fault_text.h"
#include "duckdb/host.h"

namespace tfr::duckdb {

/// A file of a query, or the reason why it cannot be read.
struct FoundFile {
  std::string name;
  /// The full path.
  std::string path;
  std::optional<FileError> error;
};

/// Throws QueryError TFR_SQL if one of `paths` is a URL.
void CheckPaths(const std::vector<std::string>& paths);

/// Returns the files that paths, patterns and sets of shards mean, in reading
/// order, by the rules of `expandPath` of lib/io/files/expand-paths.ts.
std::vector<FoundFile> FindFiles(const std::vector<std::string>& paths);

/// The files as inputs of readers, in the same order.
std::vector<File> FilesOf(const std::vector<FoundFile>& found,
                          const ReaderSpec& spec);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_FILES_FOUND_FILES_H_
