#ifndef TFR_CORE_EXAMPLE_PRINT_PLAN_PRINTER_H_
#define TFR_CORE_EXAMPLE_PRINT_PLAN_PRINTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/example/parse/batch_parser.h"
#include "core/example/print/json_text.h"
#include "core/example/print/slab_printer.h"

namespace tfr {

/// Parses records by a plan, some at a time, and prints their rows. Refuses
/// records that do not fit the plan, and those that may be Events.
class PlanPrinter : public SlabPrinter {
 public:
  explicit PlanPrinter(std::shared_ptr<const Plan> plan);

  RecordLines Print(Span slab, const Frame* frames, size_t count,
                    TextRoom room) final;

  /// Size of the memory of parsed rows, used or not.
  size_t HeldBytes() const { return parser_.HeldBytes(); }

 protected:
  /// Appends row `row` of `parser()`, without a line feed. If it returns false,
  /// it called `Refuse` or `Full`; what it appended is dropped.
  virtual bool PutRow(size_t row) = 0;

  const BatchParser& parser() const { return parser_; }
  TextRoom* room() { return room_; }
  /// Both return false.
  bool Refuse();
  bool Full();
  bool Put(std::string_view text) { return room_->Put(text) || Full(); }
  /// Ensures that `size` more bytes can be written at `room()->at`.
  bool Need(size_t size) { return room_->left() >= size || Full(); }

 private:
  size_t Parse(Span slab, const Frame* frames, size_t count);
  LineOutcome PutLine(size_t row);

  BatchParser parser_;
  /// Maximum number of records that are parsed together.
  const size_t most_rows_;
  TextRoom* room_ = nullptr;
  LineOutcome outcome_ = LineOutcome::kPrinted;
};

/// The item of `row` in an optional column. Returns false for a row without
/// one.
inline bool ItemOf(const ColumnPlan& plan, const ColumnData& data, size_t row,
                   size_t* item) {
  *item = row;
  if (!plan.optional) return true;
  *item = static_cast<size_t>(data.present[row]);
  return data.present[row + 1] > data.present[row];
}

/// Value `index` of a column of bytes.
inline Span BytesAt(const ColumnData& data, size_t index) {
  return data.bytes.At(static_cast<size_t>(data.offsets[index]),
                       static_cast<size_t>(data.offsets[index + 1]));
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_PLAN_PRINTER_H_
