#include "core/codec/zlib_header.h"

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

}  // namespace tfr
