#include "core/write/frame_sums.h"

#include <cerrno>

#include "core/base/endian.h"
#include "core/crc32c/combine.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"
#include "core/crc32c/record_format.h"

namespace tfr {
Fault FillFrameSums(uint8_t* data, size_t size, const CancelToken& cancel) {
  size_t position = 0;
  size_t next_poll = kPollBytes;
  while (position < size) {
    const size_t room = size - position;
    uint8_t* const frame = data + position;
    if (room < kFramingSize) return SystemFault(EINVAL, "write");
    const uint64_t length = LoadLE64(frame);
    if (length > room - kFramingSize) return SystemFault(EINVAL, "write");
    StoreLE32(frame + kLengthSize, crc32c::Mask(crc32c::Value8(frame)));

    uint8_t* const payload = frame + kHeaderSize;
    uint32_t crc = 0;
    size_t summed = 0;
    while (length - summed > kPollBytes) {
      if (cancel.cancelled()) return SystemFault(ECANCELED, "write");
      crc = crc32c::Extend(crc, payload + summed, kPollBytes);
      summed += kPollBytes;
    }
    crc = crc32c::Extend(crc, payload + summed,
                         static_cast<size_t>(length) - summed);
    StoreLE32(payload + length, crc32c::Mask(crc));

    position += kFramingSize + static_cast<size_t>(length);
    if (position >= next_poll) {
      if (cancel.cancelled()) return SystemFault(ECANCELED, "write");
      next_poll = position + kPollBytes;
    }
  }
  return {};
}

uint32_t ExtendOverFrames(uint32_t crc, const uint8_t* data, size_t size) {
  /// Bytes before it are in `crc`.
  size_t summed = 0;
  for (size_t position = 0; size - position >= kFramingSize;) {
    const uint64_t length = LoadLE64(data + position);
    if (length > size - position - kFramingSize) break;
    const size_t begin = position + kHeaderSize;
    const size_t end = begin + static_cast<size_t>(length);
    if (length >= kLongRecord) {
      crc = crc32c::Extend(crc, data + summed, begin - summed);
      crc = crc32c::Combine(crc, crc32c::Unmask(LoadLE32(data + end)), length);
      summed = end;
    }
    position = end + kFooterSize;
  }
  return crc32c::Extend(crc, data + summed, size - summed);
}

}  // namespace tfr
