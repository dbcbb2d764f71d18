#include "core/example/csv/csv_rows.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/base/endian.h"
#include "core/base/text.h"
#include "core/base/word_bytes.h"

namespace tfr {
namespace {

/// Memory for fields with quotes in them that stays for the next rows.
constexpr size_t kMostSpare = size_t{1} << 20U;

/// True if no byte is NUL or above ASCII.
bool IsAscii(Span text) {
  const uint8_t* p = text.data;
  uint64_t bad = 0;
  for (; text.end() - p >= 8; p += 8) {
    const uint64_t word = LoadLE64(p);
    bad |= (word - kOnes) | word;
  }
  bad &= kTops;
  for (; p < text.end(); ++p) bad |= *p == 0 || *p >= 0x80 ? 1 : 0;
  return bad == 0;
}

}  // namespace

bool IsCsvText(Span text) {
  if (IsAscii(text)) return true;
  return std::find(text.data, text.end(), 0) == text.end() &&
         TextKindOf(text.data, text.size) != TextKind::kBinary;
}

void CsvRows::Begin(CsvRules rules) {
  rules_ = std::move(rules);
  std::fill(std::begin(stops_), std::end(stops_), false);
  for (const uint8_t c :
       {rules_.delimiter, uint8_t{'"'}, uint8_t{'\r'}, uint8_t{'\n'}}) {
    stops_[c] = true;
  }
  Clear();
}

void CsvRows::Clear() {
  if (spare_.capacity() > kMostSpare) spare_ = {};
  fields_.clear();
  count_ = 0;
  total_breaks_ = 0;
  breaks_.clear();
}

CsvState CsvRows::Take(Span row) {
  AddBreaks(row);
  ++count_;
  const size_t columns = rules_.columns.size();
  // In a file of one column, a blank line is a row with an empty field.
  if (row.size == 0 && columns != 1) return CsvState::kBlank;
  is_text_ = IsCsvText(row);
  if (!Split(row)) return CsvState::kRefused;
  if (row.size == 0) fields_.push_back({row, false});
  return fields_.size() == columns ? CsvState::kTaken : CsvState::kRefused;
}

void CsvRows::AddBreaks(Span row) {
  const auto* const first =
      row.size == 0
          ? nullptr
          : static_cast<const uint8_t*>(std::memchr(row.data, '\n', row.size));
  if (first == nullptr && breaks_.empty()) return;
  if (breaks_.empty()) breaks_.resize(count_ + 1);
  if (first != nullptr) {
    total_breaks_ +=
        static_cast<uint32_t>(std::count(first, row.end(), uint8_t{'\n'}));
  }
  breaks_.push_back(total_breaks_);
}

bool CsvRows::Split(Span row) {
  fields_.clear();
  spare_.clear();
  const uint8_t* p = row.data;
  const uint8_t* const end = row.end();
  while (p < end) {
    // A file has few columns, but a row may have many delimiters.
    if (fields_.size() == rules_.columns.size()) return false;
    if (*p == '"') {
      ++p;
      if (!AddQuoted(&p, end)) return false;
    } else {
      const uint8_t* const begin = p;
      while (p < end && !stops_[*p]) ++p;
      fields_.push_back({{begin, static_cast<size_t>(p - begin)}, false});
    }
    if (p == end) return true;
    if (*p != rules_.delimiter) return false;
    ++p;
  }
  // A delimiter at the end begins one more field.
  if (row.size > 0) fields_.push_back({{end, 0}, false});
  return true;
}

/// Adds the field after the opening quote before `*p`, and moves `*p` after the
/// closing quote.
bool CsvRows::AddQuoted(const uint8_t** p, const uint8_t* end) {
  const auto quote_from = [end](const uint8_t* from) {
    return from == end ? nullptr
                       : static_cast<const uint8_t*>(std::memchr(
                             from, '"', static_cast<size_t>(end - from)));
  };
  const uint8_t* begin = *p;
  const uint8_t* quote = quote_from(begin);
  if (quote == nullptr) return false;
  if (quote + 1 == end || quote[1] != '"') {
    fields_.push_back({{begin, static_cast<size_t>(quote - begin)}, true});
    *p = quote + 1;
    return true;
  }
  // All text of the row fits, so it never moves.
  if (spare_.empty()) spare_.reserve(static_cast<size_t>(end - begin));
  const size_t first = spare_.size();
  while (quote + 1 != end && quote[1] == '"') {
    spare_.insert(spare_.end(), begin, quote + 1);
    begin = quote + 2;
    quote = quote_from(begin);
    if (quote == nullptr) return false;
  }
  spare_.insert(spare_.end(), begin, quote);
  fields_.push_back({{spare_.data() + first, spare_.size() - first}, true});
  *p = quote + 1;
  return true;
}

bool CsvRows::IsMissing(const CsvField& field, bool is_number) const {
  const bool counts = field.quoted && !is_number;
  if (field.text.size == 0) return !counts;
  if (rules_.na.empty() || (counts && rules_.quotes_count)) return false;
  return std::any_of(
      rules_.na.begin(), rules_.na.end(), [&field](const std::string& text) {
        return text.size() == field.text.size &&
               std::memcmp(text.data(), field.text.data, text.size()) == 0;
      });
}

}  // namespace tfr
