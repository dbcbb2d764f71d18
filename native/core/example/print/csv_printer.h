#ifndef TFR_CORE_EXAMPLE_PRINT_CSV_PRINTER_H_
#define TFR_CORE_EXAMPLE_PRINT_CSV_PRINTER_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "core/example/print/plan_printer.h"

namespace tfr {

/// Prints records as rows of CSV: a field for each column of a plan, byte for
/// byte as lib/convert/csv/csv-output.ts. Refuses records with a feature that
/// has no field: several values, none, or bytes that are not text.
class CsvPrinter final : public PlanPrinter {
 public:
  /// Longer rows are left to TypeScript, which knows their limit.
  static constexpr size_t kMostRowBytes = size_t{64} << 20;

  /// `delimiter`: an ASCII character between fields, no quote and no line end.
  CsvPrinter(std::shared_ptr<const Plan> plan, uint8_t delimiter);

 private:
  bool PutRow(size_t row) override;
  bool PutField(const ColumnPlan& plan, const ColumnData& data, size_t row);
  bool PutNumber(const uint8_t* text, const uint8_t* end);

  const uint8_t delimiter_;
  /// True if numbers and their words may have the delimiter.
  const bool in_numbers_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_CSV_PRINTER_H_
