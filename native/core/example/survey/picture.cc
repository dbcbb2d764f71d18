#include "core/example/survey/picture.h"

#include <cstring>

#include "core/base/endian.h"

namespace tfr {

namespace {

template <size_t kSize>
bool HasAt(Span value, size_t at, const char (&wanted)[kSize]) {
  constexpr size_t kLength = kSize - 1;
  return value.size >= at + kLength &&
         std::memcmp(value.data + at, wanted, kLength) == 0;
}

/// Two letters are no signature: the header's reserved numbers must be 0, and
/// the size of the next one known.
bool IsBmp(Span value) {
  if (value.size < 26 || LoadLE32(value.data + 6) != 0) return false;
  const uint32_t header = LoadLE32(value.data + 14);
  return header == 12 || header == 40 || header == 52 || header == 56 ||
         header == 64 || header == 108 || header == 124;
}

}  // namespace

Picture PictureOf(Span value) {
  if (value.size < 4) return Picture::kNone;
  switch (value.data[0]) {
    case 0xff:
      return HasAt(value, 0, "\xff\xd8\xff") ? Picture::kJpeg : Picture::kNone;
    case 0x89:
      return HasAt(value, 0, "\x89PNG\r\n\x1a\n") ? Picture::kPng
                                                  : Picture::kNone;
    case 'G':
      return HasAt(value, 0, "GIF87a") || HasAt(value, 0, "GIF89a")
                 ? Picture::kGif
                 : Picture::kNone;
    case 'R':
      return HasAt(value, 0, "RIFF") && HasAt(value, 8, "WEBP")
                 ? Picture::kWebp
                 : Picture::kNone;
    case 'B':
      return HasAt(value, 0, "BM") && IsBmp(value) ? Picture::kBmp
                                                   : Picture::kNone;
    case 'I':
      return std::memcmp(value.data, "II*\0", 4) == 0 ? Picture::kTiff
                                                      : Picture::kNone;
    case 'M':
      return std::memcmp(value.data, "MM\0*", 4) == 0 ? Picture::kTiff
                                                      : Picture::kNone;
    default:
      return Picture::kNone;
  }
}

}  // namespace tfr
