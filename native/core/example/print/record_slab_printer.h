#ifndef TFR_CORE_EXAMPLE_PRINT_RECORD_SLAB_PRINTER_H_
#define TFR_CORE_EXAMPLE_PRINT_RECORD_SLAB_PRINTER_H_

#include <cstddef>

#include "core/example/print/line_printer.h"
#include "core/example/print/slab_printer.h"

namespace tfr {

/// Prints records by themselves, directly from their bytes.
class RecordSlabPrinter final : public SlabPrinter {
 public:
  /// The arguments are those of `LinePrinter`.
  explicit RecordSlabPrinter(LineForm form, bool whole = false)
      : printer_(form, whole) {}

  RecordLines Print(Span slab, const Frame* frames, size_t count,
                    TextRoom room) override;

 private:
  LinePrinter printer_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_RECORD_SLAB_PRINTER_H_
