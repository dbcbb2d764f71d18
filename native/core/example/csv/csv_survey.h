#ifndef TFR_CORE_EXAMPLE_CSV_CSV_SURVEY_H_
#define TFR_CORE_EXAMPLE_CSV_CSV_SURVEY_H_

#include <cstdint>
#include <vector>

#include "core/example/csv/csv_number.h"
#include "core/example/csv/csv_rows.h"

namespace tfr {

/// The fields of one column in the rows that were taken.
struct CsvColumnFields {
  /// By `CsvLiteral`: the number of fields.
  uint32_t counts[3] = {};
  /// 1 if a row has no value.
  uint32_t missing = 0;
  /// 1 if a row has an empty field in quotes that do not count.
  uint32_t quoted_empty = 0;
};

/// The first field of one kind in a column.
struct CsvFirst {
  uint32_t row = 0;
  uint32_t column = 0;
  uint32_t literal = 0;
};

/// Finds the kinds of columns from the fields of rows, as `ColumnSurvey` of
/// lib/convert/csv/csv-columns.ts does.
class CsvSurvey {
 public:
  /// Drops what was found before. `columns`: the number of columns.
  void Clear(size_t columns);
  /// Adds `row` of a file with the rules of `rows`.
  void Add(Span row, CsvRows* rows);

  const std::vector<CsvColumnFields>& columns() const { return columns_; }
  /// In the order of the rows that were taken.
  const std::vector<CsvFirst>& firsts() const { return firsts_; }
  /// The rows that were refused.
  const std::vector<uint32_t>& refused() const { return refused_; }

 private:
  bool Judge(const CsvRows& rows);

  std::vector<CsvColumnFields> columns_;
  std::vector<CsvFirst> firsts_;
  std::vector<uint32_t> refused_;
  /// The literals of the row's fields.
  std::vector<CsvLiteral> literals_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_CSV_CSV_SURVEY_H_
