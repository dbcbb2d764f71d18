#include "core/write/frame_sums.h"

#include <cerrno>

#include "core/base/endian.h"
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

}  // namespace tfr
