#include "duckdb/extension/file_reading.h"

#include <utility>

#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

/// True for faults of a whole piece, which say nothing about the records after
/// it.
bool IsOfPiece(const ParseFault& fault) {
  return fault.code == ParseFaultCode::kTooLarge ||
         fault.code == ParseFaultCode::kOutOfMemory;
}

}  // namespace

FileReading::FileReading(std::vector<FoundFile> found, const Settings& settings,
                         bool sampled)
    : found_(std::move(found)), sampled_(sampled), policy_(settings.on_error) {
  files =
      FilesOf(found_, SpecOf(settings, settings.on_error == OnError::kSkip));
}

Verdict FileReading::Judge(const Event& event, std::string* error) {
  try {
    return Decide(event);
  } catch (const QueryError& thrown) {
    *error = thrown.what();
    return Verdict::kError;
  }
}

Verdict FileReading::Decide(const Event& event) {
  policy_.Passed(event.passed);
  if (event.kind == Event::kEnd) {
    policy_.Ended();
    return Verdict::kContinue;
  }
  FileError error = ErrorOf(event);
  if (event.fault != nullptr && IsOfPiece(event.fault->parse)) {
    throw QueryError(error.line());
  }
  if (sampled_ && error.code == "TFR_FEATURE") {
    error.text +=
        ". The columns are those of the first 1000 records; spec "
        "gives others";
  }
  if (!policy_.Skips(error)) return Verdict::kStop;
  // DuckDB has no place for a warning: rows of the file would be NULL
  // unnoticed.
  if (event.kind == Event::kType) return Verdict::kNextFile;
  if (event.kind != Event::kHalt) return Verdict::kContinue;
  return IsSkippable(event.piece->halt) ? Verdict::kSkip : Verdict::kNextFile;
}

FileError FileReading::ErrorOf(const Event& event) const {
  const FoundFile& file = found_[event.file];
  const RecordPlace place{file.name, event.record, event.offset};
  switch (event.kind) {
    case Event::kRefused:
      return file.error.value_or(FileError());
    case Event::kType: {
      FileError error =
          TypeError(NameOf(event.piece->first_type), place, plan->sequence);
      error.foreign = true;
      return error;
    }
    case Event::kHalt:
      return DamageError(event.piece->halt, file.name);
    case Event::kText:
      return TextError(plan->columns[event.text->column].key, event.text->bytes,
                       place);
    default:
      return event.fault->data ? DamageError(event.fault->data, file.name)
                               : ParseError(event.fault->parse, place, *plan);
  }
}

}  // namespace tfr::duckdb
