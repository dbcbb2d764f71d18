#include "core/example/csv/csv_survey.h"

namespace tfr {

void CsvSurvey::Clear(size_t columns) {
  columns_.assign(columns, CsvColumnFields());
  firsts_.clear();
  refused_.clear();
}

void CsvSurvey::Add(Span row, CsvRows* rows) {
  const auto number = static_cast<uint32_t>(rows->count());
  const CsvState state = rows->Take(row);
  if (state == CsvState::kBlank) return;
  if (state == CsvState::kRefused || !rows->is_text() || !Judge(*rows)) {
    refused_.push_back(number);
    return;
  }
  const CsvRules& rules = rows->rules();
  for (uint32_t i = 0; i < columns_.size(); ++i) {
    if (rules.columns[i].kind == Kind::kNone) continue;
    CsvColumnFields& column = columns_[i];
    const CsvField& field = rows->fields()[i];
    if (rows->IsMissing(field, false)) {
      column.missing = 1;
    } else if (field.text.size == 0 && !rules.quotes_count) {
      column.quoted_empty = 1;
    } else {
      const auto literal = static_cast<uint32_t>(literals_[i]);
      if (column.counts[literal]++ == 0) {
        firsts_.push_back({number, i, literal});
      }
    }
  }
}

/// Finds the literals. Returns false if JavaScript must find one of them.
bool CsvSurvey::Judge(const CsvRows& rows) {
  const CsvRules& rules = rows.rules();
  literals_.assign(columns_.size(), CsvLiteral::kBytes);
  for (size_t i = 0; i < literals_.size(); ++i) {
    const CsvField& field = rows.fields()[i];
    if (rules.columns[i].kind == Kind::kNone ||
        (rules.quotes_count && field.quoted)) {
      continue;
    }
    literals_[i] = CsvLiteralOf(field.text);
    if (literals_[i] == CsvLiteral::kUnsure) return false;
  }
  return true;
}

}  // namespace tfr
