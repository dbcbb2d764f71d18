#include "core/example/piece.h"

#include <algorithm>

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
      piece_->lengths.push_back(fill.frames[at].length);
      piece_->faults.push_back({piece_->lengths.size() - 1, fault, {}});
      if (stop_) return false;
      begin = at + 1;
    }
    return Run(*range.block, begin, range.end);
  }

 private:
  /// Records whose bytes are right. Behind one that does not fit, few are tried
  /// at first: what is located in vain is bounded by what was parsed.
  bool Run(const Block& block, size_t begin, size_t end) {
    while (begin < end) {
      const size_t wanted = std::min(window_, end - begin);
      const Frame* const frames = block.fill.frames.data() + begin;
      ParseFault fault;
      const size_t rows = piece_->parser->Append(
          block.memory.data(), block.memory.capacity(), frames, wanted, &fault);
      const size_t seen = rows < wanted ? rows + 1 : rows;
      for (size_t i = 0; i < seen; ++i) {
        piece_->lengths.push_back(frames[i].length);
      }
      begin += seen;
      if (rows == wanted) {
        window_ = window_ > kMaxWindow / 2 ? kMaxWindow : window_ * 2;
        continue;
      }
      piece_->faults.push_back({piece_->lengths.size() - 1, {}, fault});
      if (stop_ || fault.code == ParseFaultCode::kTooLarge ||
          fault.code == ParseFaultCode::kOutOfMemory) {
        return false;
      }
      window_ = 1;
    }
    return true;
  }

  static constexpr size_t kMaxWindow = size_t{1} << 30;
  const bool stop_;
  Piece* const piece_;
  size_t window_ = kMaxWindow;
};

}  // namespace

void ParsePiece(const std::vector<BlockRange>& ranges, bool stop,
                Piece* piece) {
  if (!ranges.empty()) {
    const BlockRange& first = ranges.front();
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
  for (const BlockRange& range : ranges) {
    if (!parser.Range(range)) return;
  }
}

}  // namespace tfr
