#include "core/example/flow/piece.h"

#include <new>

#include "core/crc32c/record_format.h"

namespace tfr {

namespace {

class PieceParser {
 public:
  PieceParser(bool stop, Piece* piece) : stop_(stop), piece_(piece) {}

  /// Returns false if parsing should stop.
  bool Add(const FrameRun& run) {
    const SlabFill& fill = run.filled->fill;
    size_t begin = run.begin;
    for (const Fault& fault : fill.faults) {
      const size_t at = static_cast<size_t>(fault.record - fill.first_record);
      if (at < begin) continue;
      if (at >= run.end) break;
      if (!AddRight(*run.filled, begin, at)) return false;
      Count(fill.frames[at]);
      piece_->faults.push_back({piece_->lengths.size() - 1, fault, {}});
      if (stop_) return false;
      begin = at + 1;
    }
    return AddRight(*run.filled, begin, run.end);
  }

 private:
  /// Adds records whose data is valid.
  bool AddRight(const SlabReader::Request& filled, size_t begin, size_t end) {
    while (begin < end) {
      const Frame* const frames = filled.fill.frames.data() + begin;
      ParseFault fault;
      const size_t rows = piece_->parser->Append(filled.slab, filled.size,
                                                 frames, end - begin, &fault);
      if (piece_->finds_events) NoteEvents(filled.slab, frames, rows);
      const size_t seen = rows < end - begin ? rows + 1 : rows;
      for (size_t i = 0; i < seen; ++i) Count(frames[i]);
      begin += seen;
      if (!fault) continue;
      const Frame& faulty = frames[rows];
      piece_->faults.push_back(
          {piece_->lengths.size() - 1,
           {},
           fault,
           OtherTypeOf({filled.slab + faulty.offset, faulty.length},
                       piece_->parser->plan().sequence)});
      if (stop_ || fault.code == ParseFaultCode::kTooLarge ||
          fault.code == ParseFaultCode::kOutOfMemory) {
        return false;
      }
    }
    return true;
  }

  /// Finds the Events among `rows` records, which have just become rows.
  void NoteEvents(const uint8_t* slab, const Frame* frames, size_t rows) {
    const size_t before = piece_->parser->rows() - rows;
    for (size_t i = 0; i < rows; ++i) {
      const Span record{slab + frames[i].offset, frames[i].length};
      if (OtherTypeOf(record, /*sequence=*/true) == RecordType::kEvent) {
        piece_->events.push_back(before + i);
      }
    }
  }

  void Count(const Frame& frame) {
    piece_->lengths.push_back(frame.length);
    piece_->payload += frame.length;
  }

  const bool stop_;
  Piece* const piece_;
};

/// Returns `Piece::first_type` for a piece whose first record is the first of
/// `run`. Damaged data says nothing.
RecordType FirstTypeOf(const FrameRun& run, bool sequence) {
  const SlabFill& fill = run.filled->fill;
  if (fill.first_record + run.begin > 0) return RecordType::kExample;
  if (!fill.faults.empty() && fill.faults.data()[0].record == 0) {
    return RecordType::kExample;
  }
  const Frame& frame = fill.frames[run.begin];
  return OtherTypeOf({run.filled->slab + frame.offset, frame.length}, sequence);
}

void Parse(bool stop, Piece* piece) {
  size_t records = 0;
  for (const FrameRun& run : piece->runs) records += run.end - run.begin;
  piece->lengths.reserve(records);
  if (!piece->runs.empty()) {
    const FrameRun& first = piece->runs.front();
    const SlabFill& fill = first.filled->fill;
    const uint64_t payload = fill.frames[first.begin].offset;
    piece->first_record = fill.first_record + first.begin;
    piece->offset = fill.base + payload - kHeaderSize;
    piece->first_type = FirstTypeOf(first, piece->parser->plan().sequence);
  }
  if (!piece->parser->Clear()) {
    ParseFault fault;
    fault.code = ParseFaultCode::kOutOfMemory;
    piece->faults.push_back({0, {}, fault});
    return;
  }
  PieceParser parser(stop, piece);
  for (const FrameRun& run : piece->runs) {
    if (!parser.Add(run)) return;
  }
}

}  // namespace

void ParsePiece(bool stop, Piece* piece) {
  try {
    Parse(stop, piece);
  } catch (const std::bad_alloc&) {
    piece->Halt(MemoryFault());
  }
}

}  // namespace tfr
