#ifndef TFR_DUCKDB_EXTENSION_FAULT_TEXT_H_
#define TFR_DUCKDB_EXTENSION_FAULT_TEXT_H_

#include <cstdint>
#include <string>

#include "core/base/fault.h"
#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/type/record_type.h"

/// The texts of errors about files and records, all of which are here: code,
/// file, record and byte, without advice. (Elsewhere TypeScript words errors,
/// which DuckDB's extension does not have.)
namespace tfr::duckdb {

/// An error about a file.
struct FileError {
  std::string code;
  std::string text;
  /// The file is given up where it begins, because it is of another kind or
  /// compression, or has records of another type.
  bool foreign = false;

  std::string line() const { return code + ": " + text; }
};

/// A record of a file. `offset`: of its header in the content.
struct RecordPlace {
  const std::string& file;
  uint64_t record;
  uint64_t offset;
};

/// An error of the system, as Node words it: `ENOENT: …, open 'a.tfrecord'`.
FileError SystemError(int error, const std::string& operation,
                      const std::string& file);
/// True if a reader can go on after the record, or the damage, of `halt`.
bool IsSkippable(const Fault& halt);
/// The error for damaged data of `file`.
FileError DamageError(const Fault& fault, const std::string& file);
/// The error for a record that does not fit `plan`.
FileError ParseError(const ParseFault& fault, const RecordPlace& place,
                     const Plan& plan);
/// The error for a text of `bytes` bytes that is not UTF-8.
FileError TextError(const std::string& key, uint64_t bytes,
                    const RecordPlace& place);
/// The error for a record of another type. `found`: its name, with an article.
FileError TypeError(const std::string& found, const RecordPlace& place,
                    bool sequence);

/// The name of a type, with an article.
const char* NameOf(RecordType type);
/// "Record 3 of a.tfrecord (byte 40)".
std::string TextOf(const RecordPlace& place);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_FAULT_TEXT_H_
