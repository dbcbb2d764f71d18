#include "core/compression/zlib_format.h"

namespace tfr {
namespace {

constexpr uint8_t kDeflate = 8;
constexpr uint8_t kMostWindow = 7;  // 32 KiB
constexpr uint8_t kPresetDictionary = 0x20;

}  // namespace

HeaderStatus ZlibHeaderParser::Parse(const uint8_t* in, size_t in_size,
                                     size_t* consumed) {
  HeaderStatus status = HeaderStatus::kMore;
  size_t done = 0;
  while (done < in_size && status == HeaderStatus::kMore) {
    status = ParseByte(in[done]);
    if (status != HeaderStatus::kForeign) ++done;
  }
  *consumed = done;
  return status;
}

HeaderStatus ZlibHeaderParser::ParseByte(uint8_t byte) {
  if (position_ == 0) {
    found_ = byte;
    if ((byte & 15) != kDeflate || byte >> 4 > kMostWindow) {
      part_ = "zlib header method";
      return HeaderStatus::kForeign;
    }
    first_ = byte;
    ++position_;
    return HeaderStatus::kMore;
  }
  found_ = uint32_t{first_} << 8 | byte;
  if (found_ % 31 != 0) {
    part_ = "zlib header check bits";
    return HeaderStatus::kForeign;
  }
  if ((byte & kPresetDictionary) != 0) {
    part_ = "zlib header preset dictionary";
    return HeaderStatus::kForeign;
  }
  ++position_;
  return HeaderStatus::kDone;
}

void StoreZlibHeader(uint8_t* out, int level) {
  const unsigned effort = level < 2 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
  // CINFO 7 (32 KiB), CM 8; then FLEVEL and the check bits, which make the two
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
