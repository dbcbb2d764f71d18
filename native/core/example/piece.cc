#include "core/example/piece.h"

#include <new>

#include "core/record/format.h"

namespace tfr {

namespace {

class PieceParser {
 public:
  PieceParser(bool stop, Piece* piece) : stop_(stop), piece_(piece) {}

  /// False when nothing behind is wanted.
  bool Range(const BlockRange& range) {
    const Fill& fill = range.block->fill;
    size_t begin = range.begin;
    for (const Fault& fault : fill.faults) {
      const size_t at = static_cast<size_t>(fault.record - fill.first_record);
      if (at < begin) continue;
      if (at >= range.end) break;
      if (!Run(*range.block, begin, at)) return false;
      Count(fill.frames[at]);
      piece_->faults.push_back({piece_->lengths.size() - 1, fault, {}});
      if (stop_) return false;
      begin = at + 1;
    }
    return Run(*range.block, begin, range.end);
  }

 private:
  /// Records whose bytes are right.
  bool Run(const Block& block, size_t begin, size_t end) {
    while (begin < end) {
      const Frame* const frames = block.fill.frames.data() + begin;
      ParseFault fault;
      const size_t rows =
          piece_->parser->Append(block.memory.data(), block.memory.capacity(),
                                 frames, end - begin, &fault);
      const size_t seen = rows < end - begin ? rows + 1 : rows;
      for (size_t i = 0; i < seen; ++i) Count(frames[i]);
      begin += seen;
      if (!fault) continue;
      piece_->faults.push_back({piece_->lengths.size() - 1, {}, fault});
      if (stop_ || fault.code == ParseFaultCode::kTooLarge ||
          fault.code == ParseFaultCode::kOutOfMemory) {
        return false;
      }
    }
    return true;
  }

  void Count(const Frame& frame) {
    piece_->lengths.push_back(frame.length);
    piece_->payload += frame.length;
  }

  const bool stop_;
  Piece* const piece_;
};

void Parse(bool stop, Piece* piece) {
  size_t records = 0;
  for (const BlockRange& range : piece->ranges) {
    records += range.end - range.begin;
  }
  piece->lengths.reserve(records);
  if (!piece->ranges.empty()) {
    const BlockRange& first = piece->ranges.front();
    const Fill& fill = first.block->fill;
    const uint64_t payload = fill.frames[first.begin].offset;
    piece->first_record = fill.first_record + first.begin;
    piece->offset = fill.base + payload - kHeaderSize;
  }
  if (!piece->parser->Clear()) {
    ParseFault fault;
    fault.code = ParseFaultCode::kOutOfMemory;
    piece->faults.push_back({0, {}, fault});
    return;
  }
  PieceParser parser(stop, piece);
  for (const BlockRange& range : piece->ranges) {
    if (!parser.Range(range)) return;
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
