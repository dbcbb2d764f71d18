#include "duckdb/extension/file_host.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "duckdb/extension/file_reading.h"
#include "duckdb/extension/files/found_files.h"
#include "duckdb/extension/query_error.h"
#include "duckdb/extension/sample_table.h"
#include "duckdb/extension/settings.h"
#include "duckdb/extension/spec/spec_table.h"
#include "duckdb/extension/table.h"

namespace tfr::duckdb {
namespace {

class FileQuery final : public ReadingQuery {
 public:
  FileQuery(std::vector<std::string> paths, Settings settings)
      : paths_(std::move(paths)), settings_(std::move(settings)) {
    table_ = settings_.spec ? TableOfSpec(*settings_.spec)
                            : SampleTable(FindFiles(paths_), settings_);
    for (const TableColumn& column : table_.columns) {
      columns.push_back(ColumnOf(column));
    }
    std::vector<std::string> added;
    const auto add = [&](const char* name, Type type, ScanColumn::Kind kind) {
      added.emplace_back(name);
      places_.push_back(kind);
      Column column;
      column.name = name;
      column.type = type;
      columns.push_back(std::move(column));
    };
    if (settings_.filename) add("filename", kVarchar, ScanColumn::kFileName);
    if (settings_.file_row_number) {
      add("file_row_number", kBigint, ScanColumn::kRecordNumber);
    }
    if (settings_.record_offset) {
      add("record_offset", kBigint, ScanColumn::kRecordOffset);
    }
    if (columns.empty()) {
      throw QueryError("TFR_SPEC",
                       "the files have no record with a feature, so their "
                       "columns are unknown: name them by spec := '{…}'");
    }
    CheckNames(table_, added);
  }

  std::unique_ptr<Reading> Begin(const std::vector<uint64_t>& used,
                                 std::string* /*error*/) override {
    auto reading = std::make_unique<FileReading>(FindFiles(paths_), settings_,
                                                 !settings_.spec);
    std::vector<ColumnPlan> plans;
    for (const uint64_t index : used) {
      ScanColumn column;
      if (index < table_.columns.size()) {
        column.index = plans.size();
        plans.push_back(PlanOf(table_.columns[index]));
      } else {
        const uint64_t place = index - table_.columns.size();
        column.kind =
            place < places_.size() ? places_[place] : ScanColumn::kRecordNumber;
      }
      reading->columns.push_back(column);
    }
    reading->plan =
        std::make_shared<const Plan>(std::move(plans), table_.sequence, false);
    return reading;
  }

 private:
  const std::vector<std::string> paths_;
  const Settings settings_;
  Table table_;
  /// The columns that the query adds.
  std::vector<ScanColumn::Kind> places_;
};

class FileHost final : public Host {
 public:
  std::unique_ptr<Query> Bind(const Arguments& arguments,
                              std::string* error) override {
    try {
      if (arguments.kind != Arguments::Paths::kList ||
          arguments.paths.empty()) {
        throw QueryError("ERR_INVALID_ARG_VALUE",
                         "the argument: expected a path, a pattern, or a list "
                         "of these");
      }
      CheckPaths(arguments.paths);
      return std::make_unique<FileQuery>(arguments.paths,
                                         SettingsOf(arguments.named));
    } catch (const QueryError& thrown) {
      *error = thrown.what();
      return nullptr;
    }
  }
};

}  // namespace

std::shared_ptr<Host> NewFileHost() { return std::make_shared<FileHost>(); }

}  // namespace tfr::duckdb
