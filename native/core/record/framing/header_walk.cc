#include "core/record/framing/header_walk.h"

#include <algorithm>
#include <cerrno>

#include "core/crc32c/record_format.h"

namespace tfr {
namespace {

/// Limits the headers of one walk, in case the records become small.
constexpr size_t kMaxWalked = 256;
/// Bytes read between two checks of the token. Larger than `kPollBytes`, so
/// that a slab of the usual size is one call.
constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

size_t WalkHeaders(const ContentStream& content, uint64_t position,
                   uint64_t limit, const ReadOptions& options,
                   TypedBuffer<Frame>* frames) {
  if (content.MayRunDry() && !MayLeaveUnread(options.verify)) return 0;
  uint64_t walked = 0;
  while (limit - walked >= kFramingSize && frames->size() < kMaxWalked) {
    uint8_t header[kHeaderSize];
    size_t got = 0;
    Fault ignored;
    if (content.ReadAt(position + walked, header, kHeaderSize, &got,
                       &ignored) != ReadState::kBytes) {
      break;
    }
    if (VerifiesLengths(options.verify) && !LengthIsRight(header)) break;
    const uint64_t length = LoadLE64(header);
    if (length > options.max_record_bytes ||
        length > limit - walked - kFramingSize) {
      break;
    }
    if (!frames->Push({static_cast<uint32_t>(walked + kHeaderSize),
                       static_cast<uint32_t>(length)})) {
      break;
    }
    walked += kFramingSize + length;
  }
  return static_cast<size_t>(walked);
}

Fault ReadWalked(const ContentStream& content, uint64_t position, size_t size,
                 const TypedBuffer<Frame>& frames, const CancelToken& cancel,
                 uint8_t* slab) {
  size_t have = 0;
  Fault fault;
  while (have < size && !fault && !cancel.cancelled()) {
    size_t got = 0;
    const ReadState state =
        content.ReadAt(position + have, slab + have,
                       std::min(size - have, kReadBytes), &got, &fault);
    // Excluded by `WalkHeaders`, but without a fault it would be endless.
    if (state == ReadState::kDry) fault = SystemFault(EAGAIN, "read");
    have += got;
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    const size_t header = frames[i].offset - kHeaderSize;
    const size_t need = kFramingSize + frames[i].length;
    if (header + need > have) {
      fault.record = i;
      if (fault.code == FaultCode::kTruncated) {
        fault.expected = need;
        fault.found = have - std::min(have, header);
      }
      return fault;
    }
    if (LoadLE64(slab + header) != frames[i].length) {
      fault = Fault();
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
