#include "duckdb/extension/sample_table.h"

#include <string>
#include <utility>

#include "core/example/type/record_type.h"
#include "duckdb/extension/query_error.h"
#include "duckdb/sample.h"

namespace tfr::duckdb {
namespace {

DType DTypeOf(const SampledColumn& column) {
  if (column.kind == Kind::kInt64) return DType::kInt64;
  if (column.kind == Kind::kFloat) return DType::kFloat32;
  return column.text ? DType::kText : DType::kBytes;
}

/// The error for a record that the survey does not take.
FileError RecordError(const SampleFault& fault, const RecordPlace& place) {
  if (fault.outcome == Survey::Outcome::kMalformed) {
    return {"TFR_EXAMPLE", TextOf(place) + " is not an Example: malformed"};
  }
  if (fault.outcome == Survey::Outcome::kForeign) {
    return TypeError(NameOf(RecordTypeOf(fault.bytes)), place, false);
  }
  throw QueryError(
      "TFR_SPEC",
      TextOf(place) + ": too many features, a spec can name those to read");
}

FileError ErrorOf(const SampleFault& fault, const FoundFile& file) {
  const RecordPlace place{file.name, fault.record, fault.offset};
  switch (fault.kind) {
    case SampleFault::kRefused:
      return file.error.value_or(FileError());
    case SampleFault::kDamage:
    case SampleFault::kHalt:
      return DamageError(*fault.damage, file.name);
    case SampleFault::kRecord:
      return RecordError(fault, place);
    case SampleFault::kMixed:
      break;
  }
  throw QueryError("TFR_FEATURE",
                   TextOf(place) + ". Feature " + Quoted(fault.feature->name) +
                       " has values of two types. A spec without it reads the "
                       "others");
}

}  // namespace

Table SampleTable(const std::vector<FoundFile>& found,
                  const Settings& settings) {
  const bool skips = settings.on_error != OnError::kThrow;
  const Sample sample = TakeSample(
      FilesOf(found, SpecOf(settings, skips)), [&](const SampleFault& fault) {
        const FileError error = ErrorOf(fault, found[fault.file]);
        if (!skips) {
          // The query, too, will find it, after the records before it.
          if (fault.taken == 0) throw QueryError(error.line());
          return Verdict::kStop;
        }
        if (fault.kind != SampleFault::kHalt) return Verdict::kContinue;
        return IsSkippable(*fault.damage) ? Verdict::kSkip : Verdict::kNextFile;
      });
  Table table;
  table.sequence = sample.sequence;
  for (const SampledColumn& each : sample.columns) {
    TableColumn column;
    column.key = each.key;
    column.section = each.section;
    column.dtype = DTypeOf(each);
    if (each.single) column.shape = Shape();
    table.columns.push_back(std::move(column));
  }
  NameColumns(&table);
  return table;
}

}  // namespace tfr::duckdb
