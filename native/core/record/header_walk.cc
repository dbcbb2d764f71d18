#include "core/record/header_walk.h"

#include <algorithm>

#include "core/record/format.h"

namespace tfr {
namespace {

/// Bounds the headers of one walk, should the records become small.
constexpr size_t kMaxWalked = 256;
constexpr size_t kPiece = size_t{1} << 20;

}  // namespace

size_t WalkHeaders(const ContentStream& content, uint64_t position,
                   uint64_t limit, const RecordStreamOptions& options,
                   std::vector<Frame>* frames) {
  uint64_t walked = 0;
  while (limit - walked >= kFramingSize && frames->size() < kMaxWalked) {
    uint8_t header[kHeaderSize];
    if (content.ReadAt(position + walked, header, kHeaderSize)) break;
    if (options.verify != Verify::kNone && !LengthIsRight(header)) break;
    const uint64_t length = LoadLE64(header);
    if (length > options.max_record_bytes ||
        length > limit - walked - kFramingSize) {
      break;
    }
    frames->push_back({static_cast<uint32_t>(walked + kHeaderSize),
                       static_cast<uint32_t>(length)});
    walked += kFramingSize + length;
  }
  return static_cast<size_t>(walked);
}

Fault ReadWalked(const ContentStream& content, uint64_t position, size_t size,
                 const std::vector<Frame>& frames, const CancelToken& cancel,
                 uint8_t* slab) {
  for (size_t done = 0; done < size && !cancel.cancelled();) {
    const size_t n = std::min(size - done, kPiece);
    const Fault fault = content.ReadAt(position + done, slab + done, n);
    if (fault) return fault;
    done += n;
  }
  if (cancel.cancelled()) return Fault();
  for (size_t i = 0; i < frames.size(); ++i) {
    if (LoadLE64(slab + frames[i].offset - kHeaderSize) != frames[i].length) {
      Fault fault;
      fault.code = FaultCode::kCorruptLength;
      fault.part = "length";
      fault.detail = "the file changed while it was read";
      fault.record = i;
      return fault;
    }
  }
  return Fault();
}

}  // namespace tfr
