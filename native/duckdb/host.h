#ifndef TFR_DUCKDB_HOST_H_
#define TFR_DUCKDB_HOST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/example/flow/piece.h"
#include "core/example/parse/plan/plan.h"
#include "core/record/reader_spec.h"
#include "duckdb/column.h"
#include "duckdb/rows.h"
#include "duckdb/text_faults.h"

/// The decisions that the table function leaves to its host: which files and
/// columns a query has, and how errors are worded and accepted. DuckDB calls
/// from any thread, one call at a time for each object. Calls may throw
/// std::bad_alloc.
namespace tfr::duckdb {

/// The arguments of a query.
struct Arguments {
  enum class Paths : uint8_t {
    kList,
    kNull,
    kOther,  ///< Neither a text nor a list of texts.
  };
  Paths kind = Paths::kOther;
  std::vector<std::string> paths;
  /// The named parameters that are not NULL, as text.
  std::vector<std::pair<std::string, std::string>> named;
};

/// One input of a scan.
struct File {
  /// The name for the column of names.
  std::string name;
  std::string path;
  ReaderSpec spec;
  /// The file cannot be read: the host judges it when its turn comes.
  bool refused = false;
};

/// Something about which the host decides. Fields that do not apply are 0 or
/// null.
struct Event {
  enum Kind : uint8_t {
    kRefused,  ///< The turn of a refused file.
    kType,    ///< `piece` begins with the file's first record, which is clearly
              ///< of another type than the plan's, and has no values.
    kRecord,  ///< `fault`: a record without a row.
    kText,    ///< `text`: a row with a text that is not UTF-8.
    kForeign,   ///< A row whose record is an Event.
    kProgress,  ///< Some rows are about to be handed out.
    kHalt,      ///< The piece ends with a halt.
    kEnd,       ///< All files were read.
  };
  Kind kind = kEnd;
  size_t file = 0;
  /// Number of rows that were handed out since the last event.
  uint64_t passed = 0;
  const Piece* piece = nullptr;
  const RowFault* fault = nullptr;
  const TextFault* text = nullptr;
  /// Number of the record, offset of its header in the stream, and its index in
  /// the piece.
  uint64_t record = 0;
  uint64_t offset = 0;
  size_t index = 0;
};

enum class Verdict : uint8_t {
  kContinue,  ///< Goes on after the record, or with the same stream.
  kSkip,      ///< `PieceReader::Skip`.
  kNextFile,  ///< Gives up the rest of the file.
  kStop,      ///< Ends as if the data ended here.
  kError,     ///< The query fails with the host's text.
};

/// One column that a query uses.
struct ScanColumn {
  enum Kind : uint8_t { kFeature, kFileName, kRecordNumber, kRecordOffset };
  Kind kind = kFeature;
  /// kFeature: index in the plan.
  size_t index = 0;
};

/// One pass over the files of a query.
class Reading {
 public:
  virtual ~Reading() = default;

  /// `*error` is set for kError. Also returns kError if the host has ended.
  virtual Verdict Judge(const Event& event, std::string* error) = 0;

  std::shared_ptr<const Plan> plan;
  std::vector<ScanColumn> columns;
  std::vector<File> files;
  /// Asks the host about each record that is an Event, instead of handing out a
  /// row without values.
  bool refuses_events = false;
  /// Asks the host about `kProgress` many times per second.
  bool reports = false;
};

/// A query whose columns are known. It may be run many times, also at once.
class Query {
 public:
  virtual ~Query() = default;

  /// Begins a pass that uses the result columns with the numbers `used`.
  /// Returns null, and sets `*error`, if that fails. `api` outlives the pass.
  virtual std::unique_ptr<Rows> Open(const Api& api,
                                     const std::vector<uint64_t>& used,
                                     std::string* error) = 0;

  /// The columns of the result.
  std::vector<Column> columns;
};

/// A query of the records of files.
class ReadingQuery : public Query {
 public:
  std::unique_ptr<Rows> Open(const Api& api, const std::vector<uint64_t>& used,
                             std::string* error) final;

  /// As `Open`, but leaves the reading to a `Scan`.
  virtual std::unique_ptr<Reading> Begin(const std::vector<uint64_t>& used,
                                         std::string* error) = 0;
};

class Host {
 public:
  virtual ~Host() = default;

  /// Returns null, and sets `*error`, for wrong arguments.
  virtual std::unique_ptr<Query> Bind(const Arguments& arguments,
                                      std::string* error) = 0;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_HOST_H_
