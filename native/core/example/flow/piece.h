#ifndef TFR_CORE_EXAMPLE_FLOW_PIECE_H_
#define TFR_CORE_EXAMPLE_FLOW_PIECE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/fault.h"
#include "core/example/parse/batch_parser.h"
#include "core/example/parse/parse_fault.h"
#include "core/record/slab_reader.h"

namespace tfr {

/// Frames of one slab, whose fill is complete.
struct FrameRun {
  std::shared_ptr<const SlabReader::Request> filled;
  size_t begin;
  size_t end;
};

/// A record that gives no row: `data` says what is wrong with its bytes, or
/// `parse` why it does not fit the plan.
struct RowFault {
  /// Number within the piece, rows and faults counted alike.
  size_t index;
  Fault data;
  ParseFault parse;
};

/// Some records of a stream, in order, as rows of columns.
struct Piece {
  std::unique_ptr<BatchParser> parser;
  std::vector<RowFault> faults;
  /// The parser's columns may refer to them.
  std::vector<FrameRun> runs;
  /// Of each record, rows and faults alike, its bytes; and their sum.
  std::vector<uint32_t> lengths;
  uint64_t payload = 0;
  /// The first record's number, and where its header lies in the stream.
  uint64_t first_record = 0;
  uint64_t offset = 0;
  /// What comes behind: kMore, kEnd, kInput, kHalt or kCancelled.
  FillOutcome outcome = FillOutcome::kCancelled;
  Fault halt;
  uint64_t compressed_bytes = 0;
  uint64_t total_bytes = kUnknown;
  Compression compression = Compression::kNone;

  /// Ends the stream before the piece's first record.
  void Halt(const Fault& fault) {
    parser.reset();
    faults.clear();
    lengths.clear();
    payload = 0;
    outcome = FillOutcome::kHalt;
    halt = fault;
  }
};

/// Parses the records of `piece->runs` with `piece->parser`. A record at
/// fault is left out; with `stop` it and all behind it are. Where memory runs
/// out for the piece itself, that is its halt.
void ParsePiece(bool stop, Piece* piece);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_FLOW_PIECE_H_
