#ifndef TFR_CORE_CODEC_ZLIB_STREAM_H_
#define TFR_CORE_CODEC_ZLIB_STREAM_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// The ends of a zlib stream (RFC 1950) around raw deflate data: header, data
/// from a `StreamDeflater`, trailer. A file has one stream only: TensorFlow
/// ignores what follows the first.
inline constexpr size_t kZlibHeaderSize = 2;
inline constexpr size_t kZlibTrailerSize = 4;

/// Writes what zlib writes at `level` (0 to 9) with a window of 32 KiB; 78 9c
/// at level 6.
void StoreZlibHeader(uint8_t* out, int level);
/// `adler` is `Adler32` of all data, from the initial value 1.
void StoreZlibTrailer(uint8_t* out, uint32_t adler);

}  // namespace tfr

#endif  // TFR_CORE_CODEC_ZLIB_STREAM_H_
