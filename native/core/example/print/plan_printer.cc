#include "core/example/print/plan_printer.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/example/parse/plan/rows_within.h"

namespace tfr {

namespace {

/// Records that are parsed together: their columns should stay in the cache.
constexpr size_t kMostRecords = 256;
constexpr size_t kMostBytes = size_t{128} << 10;
/// Maximum size of what their rows take however short the records are.
constexpr uint64_t kMostParsedBytes = uint64_t{1} << 20;

/// The tag of an Event's first field, its time.
constexpr uint8_t kTime = Fixed64Tag(1);

/// True for records that only TypeScript judges: parsing takes some Events for
/// Examples without features.
bool IsDoubtful(const uint8_t* slab, Frame frame) {
  if (frame.length > SlabPrinter::kMostRecordBytes) return true;
  return frame.length > 0 && slab[frame.offset] == kTime;
}

}  // namespace

PlanPrinter::PlanPrinter(std::shared_ptr<const Plan> plan)
    : parser_(std::move(plan)),
      most_rows_(RowsWithin(parser_.plan(), kMostParsedBytes, kMostRecords)) {}

bool PlanPrinter::Refuse() {
  outcome_ = LineOutcome::kRefused;
  return false;
}

bool PlanPrinter::Full() {
  outcome_ = LineOutcome::kFull;
  return false;
}

RecordLines PlanPrinter::Print(Span slab, const Frame* frames, size_t count,
                               TextRoom room) {
  RecordLines lines;
  const uint8_t* const start = room.at;
  room_ = &room;
  auto outcome = LineOutcome::kPrinted;
  while (outcome != LineOutcome::kFull && lines.records < count) {
    const size_t rows =
        Parse(slab, frames + lines.records, count - lines.records);
    if (rows == 0) lines.Refuse(static_cast<size_t>(room.at - start));
    for (size_t row = 0; row < rows; ++row) {
      outcome = PutLine(row);
      if (outcome == LineOutcome::kFull) break;
      if (outcome == LineOutcome::kRefused) {
        lines.Refuse(static_cast<size_t>(room.at - start));
      } else {
        ++lines.records;
      }
    }
  }
  lines.bytes = static_cast<size_t>(room.at - start);
  room_ = nullptr;
  return lines;
}

/// Parses the first of `count` records, up to the first that is refused.
/// Returns their number.
size_t PlanPrinter::Parse(Span slab, const Frame* frames, size_t count) {
  size_t wanted = 0;
  size_t bytes = 0;
  while (wanted < count && wanted < most_rows_ && bytes < kMostBytes &&
         !IsDoubtful(slab.data, frames[wanted])) {
    bytes += frames[wanted++].length;
  }
  if (!parser_.Clear()) throw std::bad_alloc();
  ParseFault fault;
  const size_t rows =
      parser_.Append(slab.data, slab.size, frames, wanted, &fault);
  if (fault.code == ParseFaultCode::kOutOfMemory) throw std::bad_alloc();
  return rows;
}

LineOutcome PlanPrinter::PutLine(size_t row) {
  uint8_t* const start = room_->at;
  outcome_ = LineOutcome::kPrinted;
  if (!PutRow(row) || !Put("\n")) room_->at = start;
  return outcome_;
}

}  // namespace tfr
