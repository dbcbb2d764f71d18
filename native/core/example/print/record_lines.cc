#include "core/example/print/record_lines.h"

namespace tfr {

RecordLines PrintRecords(LinePrinter* printer, const uint8_t* slab,
                         const Frame* frames, size_t count, TextRoom room) {
  RecordLines lines;
  const uint8_t* const start = room.at;
  for (; lines.records < count; ++lines.records) {
    const auto [offset, length] = frames[lines.records];
    const auto outcome = printer->Print({slab + offset, length}, &room);
    if (outcome == LinePrinter::Outcome::kFull) break;
    if (outcome == LinePrinter::Outcome::kRefused) {
      lines.refused.push_back({static_cast<uint32_t>(lines.records),
                               static_cast<uint32_t>(room.at - start)});
    }
  }
  lines.bytes = static_cast<size_t>(room.at - start);
  return lines;
}

}  // namespace tfr
