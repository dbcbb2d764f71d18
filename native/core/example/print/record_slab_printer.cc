#include "core/example/print/record_slab_printer.h"

namespace tfr {

RecordLines RecordSlabPrinter::Print(Span slab, const Frame* frames,
                                     size_t count, TextRoom room) {
  RecordLines lines;
  const uint8_t* const start = room.at;
  while (lines.records < count) {
    const auto [offset, length] = frames[lines.records];
    const auto outcome = printer_.Print({slab.data + offset, length}, &room);
    if (outcome == LineOutcome::kFull) break;
    if (outcome == LineOutcome::kRefused) {
      lines.Refuse(static_cast<size_t>(room.at - start));
    } else {
      ++lines.records;
    }
  }
  lines.bytes = static_cast<size_t>(room.at - start);
  return lines;
}

}  // namespace tfr
