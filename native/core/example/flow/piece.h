#ifndef TFR_CORE_EXAMPLE_FLOW_PIECE_H_
#define TFR_CORE_EXAMPLE_FLOW_PIECE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/fault.h"
#include "core/example/parse/batch_parser.h"
#include "core/example/parse/parse_fault.h"
#include "core/example/type/record_type.h"
#include "core/record/slab_reader.h"

namespace tfr {

/// Some frames of one slab, whose fill is complete.
struct FrameRun {
  std::shared_ptr<const SlabReader::Request> filled;
  size_t begin;
  size_t end;
};

/// A record that gives no row: `data` is the fault of its bytes, or `parse` the
/// reason why it does not fit the plan.
struct RowFault {
  /// Index in the piece, counting rows and faults.
  size_t index;
  Fault data;
  ParseFault parse;
  /// The record's type, if it does not fit the plan and `OtherTypeOf` finds
  /// one. Else kExample.
  RecordType type = RecordType::kExample;
};

/// Some records of a stream, in order, as rows of columns.
struct Piece {
  std::unique_ptr<BatchParser> parser;
  std::vector<RowFault> faults;
  /// Keeps the slabs alive to which the parser's columns may refer.
  std::vector<FrameRun> runs;
  /// Size of each record, rows and faults alike; and their sum.
  std::vector<uint32_t> lengths;
  uint64_t payload = 0;
  /// Number of the first record, and offset of its header in the stream.
  uint64_t first_record = 0;
  uint64_t offset = 0;
  /// The type of the stream's first record, if this piece begins with it and
  /// it is clearly not the one that is read (`OtherTypeOf`). Else kExample.
  RecordType first_type = RecordType::kExample;
  /// True if `events` is wanted.
  bool finds_events = false;
  /// The rows whose records are Events, ascending. They have no values.
  std::vector<size_t> events;
  /// What follows the piece: kMore, kEnd, kInput, kHalt or kCancelled.
  FillOutcome outcome = FillOutcome::kCancelled;
  Fault halt;
  uint64_t compressed_bytes = 0;
  uint64_t total_bytes = kUnknown;
  Compression compression = Compression::kNone;

  /// Makes the piece empty, and ends the stream with `fault`.
  void Halt(const Fault& fault) {
    parser.reset();
    faults.clear();
    events.clear();
    lengths.clear();
    payload = 0;
    outcome = FillOutcome::kHalt;
    halt = fault;
  }
};

/// Parses the records of `piece->runs` with `piece->parser`. Leaves out faulty
/// records; with `stop`, also everything after the first. If memory runs out
/// for the piece itself, halts it.
void ParsePiece(bool stop, Piece* piece);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_FLOW_PIECE_H_
