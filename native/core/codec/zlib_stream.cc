#include "core/codec/zlib_stream.h"

namespace tfr {

void StoreZlibHeader(uint8_t* out, int level) {
  const unsigned effort = level < 2 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
  // CINFO 7 (32 KiB), CM 8; then FLEVEL and the check bits that make the two
  // bytes, read big-endian, a multiple of 31.
  const unsigned header = 0x7800 | effort << 6;
  const unsigned checked = header + 31 - header % 31;
  out[0] = static_cast<uint8_t>(checked >> 8);
  out[1] = static_cast<uint8_t>(checked);
}

void StoreZlibTrailer(uint8_t* out, uint32_t adler) {
  out[0] = static_cast<uint8_t>(adler >> 24);
  out[1] = static_cast<uint8_t>(adler >> 16);
  out[2] = static_cast<uint8_t>(adler >> 8);
  out[3] = static_cast<uint8_t>(adler);
}

}  // namespace tfr
