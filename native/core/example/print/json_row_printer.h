#ifndef TFR_CORE_EXAMPLE_PRINT_JSON_ROW_PRINTER_H_
#define TFR_CORE_EXAMPLE_PRINT_JSON_ROW_PRINTER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/example/print/plan_printer.h"

namespace tfr {

/// A feature of a row.
struct RowMember {
  /// The name in JSON, with a colon.
  std::string json;
  /// Its column. If that has any number of values, they are printed as a list.
  uint32_t column = 0;
  /// The shape of a fixed number of values: their product is the column's
  /// count. Empty: a single value.
  std::vector<uint32_t> shape;
  /// Refuses bytes that are not UTF-8.
  bool text = false;
};

/// Prints records as the JSON of the rows of a spec, byte for byte as
/// `RowPrinter` of lib/example/print.
class JsonRowPrinter final : public PlanPrinter {
 public:
  /// `whole`: refuses records with a value or list that `RowPrinter` would cut,
  /// unless it prints them in full.
  JsonRowPrinter(std::shared_ptr<const Plan> plan,
                 std::vector<RowMember> members, bool whole)
      : PlanPrinter(std::move(plan)),
        members_(std::move(members)),
        whole_(whole) {}

 private:
  bool PutRow(size_t row) override;
  bool PutMember(const RowMember& member, size_t row);
  bool PutNested(const RowMember& member, size_t depth, size_t* at);
  bool PutList(const RowMember& member, size_t begin, size_t end);
  bool PutValue(const RowMember& member, size_t at);
  bool PutBytes(const RowMember& member, Span value);
  /// Refuses `count` of something if no more than `most` are shown.
  bool Shows(size_t count, size_t most);

  const std::vector<RowMember> members_;
  const bool whole_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_JSON_ROW_PRINTER_H_
