#ifndef TFR_CORE_EXAMPLE_CSV_CSV_ROWS_H_
#define TFR_CORE_EXAMPLE_CSV_CSV_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/example/parse/plan/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// A column of a file of CSV.
struct CsvColumn {
  std::string name;
  /// `kNone`: the column is not read.
  Kind kind = Kind::kNone;
  /// True if each row must have a value.
  bool required = false;
  /// True if bytes that are not valid text are accepted.
  bool any_bytes = false;
};

/// Rules for the rows of a file of CSV: those of lib/convert/csv.
struct CsvRules {
  /// Neither a quote nor a line end.
  uint8_t delimiter = ',';
  /// Texts that stand for a missing value.
  std::vector<std::string> na;
  /// True if a number that float32 rounds is an error.
  bool exact = false;
  /// True if quotes make a number text.
  bool quotes_count = true;
  std::vector<CsvColumn> columns;
};

struct CsvField {
  Span text;
  bool quoted = false;
};

enum class CsvState : uint8_t { kBlank = 0, kTaken, kRefused };

/// Splits rows into fields, one after the other. Rows that it refuses are
/// valid, or not, by the rules of lib/convert/csv/input-rows.ts; all others
/// have the fields that it would find.
class CsvRows {
 public:
  void Begin(CsvRules rules);
  const CsvRules& rules() const { return rules_; }

  /// Drops all rows. Keeps the memory, unless a giant row needed it.
  void Clear();
  /// Splits `row`, which is without its line end.
  CsvState Take(Span row);

  /// The fields of the row that was taken last: one for each column.
  const std::vector<CsvField>& fields() const { return fields_; }
  /// True if that row is UTF-8 without NUL.
  bool is_text() const { return is_text_; }
  /// True if `field` has no value.
  bool IsMissing(const CsvField& field, bool is_number) const;

  size_t count() const { return count_; }
  /// For each row the number of line ends within the rows before it, and then
  /// that of all. Empty if no row has one.
  const std::vector<uint32_t>& breaks() const { return breaks_; }

 private:
  bool Split(Span row);
  bool AddQuoted(const uint8_t** p, const uint8_t* end);
  void AddBreaks(Span row);

  CsvRules rules_;
  /// True for bytes that end a field without quotes, or are invalid in it.
  bool stops_[256] = {};
  std::vector<CsvField> fields_;
  /// Text of fields with quotes in them.
  std::vector<uint8_t> spare_;
  bool is_text_ = false;
  size_t count_ = 0;
  uint32_t total_breaks_ = 0;
  std::vector<uint32_t> breaks_;
};

/// True for UTF-8 without NUL.
bool IsCsvText(Span text);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_CSV_CSV_ROWS_H_
