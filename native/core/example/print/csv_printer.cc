#include "core/example/print/csv_printer.h"

#include <cstring>

#include "core/base/endian.h"
#include "core/example/print/csv_text.h"
#include "core/example/print/float_text.h"

namespace tfr {

namespace {

constexpr size_t kLongestNumber =
    kLongestInteger > kLongestFloatText ? kLongestInteger : kLongestFloatText;

bool IsInNumbers(uint8_t c) {
  constexpr std::string_view kAll = "0123456789.+-eNaInfinity";
  return kAll.find(static_cast<char>(c)) != std::string_view::npos;
}

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace

CsvPrinter::CsvPrinter(std::shared_ptr<const Plan> plan, uint8_t delimiter)
    : PlanPrinter(std::move(plan)),
      delimiter_(delimiter),
      in_numbers_(IsInNumbers(delimiter)) {}

bool CsvPrinter::PutRow(size_t row) {
  const uint8_t* const start = room()->at;
  const std::vector<ColumnPlan>& plans = parser().plan().columns;
  // A record without features has no row.
  if (plans.empty()) return Refuse();
  for (size_t i = 0; i < plans.size(); ++i) {
    if (i > 0) {
      if (!Need(1)) return false;
      *room()->at++ = delimiter_;
    }
    if (!PutField(plans[i], parser().column(i), row)) return false;
  }
  const auto size = static_cast<size_t>(room()->at - start);
  return size <= kMostRowBytes || Refuse();
}

bool CsvPrinter::PutField(const ColumnPlan& plan, const ColumnData& data,
                          size_t row) {
  size_t at;
  // A missing value is an empty field.
  if (!ItemOf(plan, data, row, &at)) return true;
  if (plan.count == kAnyCount) {
    const int32_t first = data.splits[at];
    if (data.splits[at + 1] - first != 1) return Refuse();
    at = static_cast<size_t>(first);
  } else if (plan.count != 1) {
    return Refuse();
  }
  if (plan.kind == Kind::kBytes) {
    switch (PutCsvText(BytesAt(data, at), delimiter_, room())) {
      case TextOutcome::kPut:
        return true;
      case TextOutcome::kFull:
        return Full();
      case TextOutcome::kNotText:
        return Refuse();
    }
  }
  uint8_t text[kLongestNumber];
  if (plan.kind == Kind::kInt64) {
    return PutNumber(text, PutInteger(text, data.ints[at]));
  }
  const uint8_t* end = PutFloat32(text, BitsOf(data.floats[at]));
  // JSON has words for floats in quotes, CSV without.
  return *text == '"' ? PutNumber(text + 1, end - 1) : PutNumber(text, end);
}

bool CsvPrinter::PutNumber(const uint8_t* text, const uint8_t* end) {
  const auto size = static_cast<size_t>(end - text);
  if (!Need(size + 2)) return false;
  uint8_t* to = room()->at;
  const bool quoted =
      in_numbers_ && std::memchr(text, delimiter_, size) != nullptr;
  if (quoted) *to++ = '"';
  std::memcpy(to, text, size);
  to += size;
  if (quoted) *to++ = '"';
  room()->at = to;
  return true;
}

}  // namespace tfr
