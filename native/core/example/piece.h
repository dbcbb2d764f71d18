#ifndef TFR_CORE_EXAMPLE_PIECE_H_
#define TFR_CORE_EXAMPLE_PIECE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/byte_buffer.h"
#include "core/base/fault.h"
#include "core/example/batch_parser.h"
#include "core/example/parse_fault.h"
#include "core/record/record_stream.h"

namespace tfr {

/// Native memory with records in it, shared by the pieces they are parsed in.
struct Block {
  ByteBuffer memory;
  Fill fill;
  /// The second step of reading is done: the records may be parsed, and what is
  /// above does not change any more.
  bool complete = false;
  /// Known so far: the number of records, and the bytes of memory that the fill
  /// wanted.
  size_t records = 0;
  size_t bytes = 0;
  /// Records that were given to a piece.
  size_t taken = 0;
  /// Payload of those that were not; known when it is complete.
  size_t left_payload = 0;

  size_t left() const { return records - taken; }
};

/// Records of one block.
struct BlockRange {
  std::shared_ptr<const Block> block;
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
  std::vector<BlockRange> ranges;
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

/// Parses the records of `piece->ranges` with `piece->parser`. A record at
/// fault is left out; with `stop` it and all behind it are. Where memory runs
/// out for the piece itself, that is its halt.
void ParsePiece(bool stop, Piece* piece);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PIECE_H_
