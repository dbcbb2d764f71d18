#ifndef TFR_CORE_COMPRESSION_ZLIB_FORMAT_H_
#define TFR_CORE_COMPRESSION_ZLIB_FORMAT_H_

#include <cstddef>
#include <cstdint>

#include "core/compression/gzip_header.h"

namespace tfr {

/// Parses the header of one zlib stream (RFC 1950, section 2.2). Never returns
/// kBad: an invalid header looks like no header.
class ZlibHeaderParser {
 public:
  void Reset() { *this = ZlibHeaderParser(); }
  HeaderStatus Parse(const uint8_t* in, size_t in_size, size_t* consumed);
  bool at_start() const { return position_ == 0; }
  const char* part() const { return part_; }
  uint32_t expected() const { return 0; }
  /// The faulty byte, or both bytes read big-endian.
  uint32_t found() const { return found_; }

 private:
  HeaderStatus ParseByte(uint8_t byte);

  uint32_t position_ = 0;
  uint8_t first_ = 0;
  const char* part_ = "zlib header";
  uint32_t found_ = 0;
};

/// Header and trailer of a zlib stream (RFC 1950) around raw deflate data from
/// a `StreamDeflater`. A file holds a single stream: TensorFlow ignores
/// everything after the first.
inline constexpr size_t kZlibHeaderSize = 2;
inline constexpr size_t kZlibTrailerSize = 4;

/// Writes zlib's own header for `level` (0 to 9) and a window of 32 KiB; 78 9c
/// at level 6.
void StoreZlibHeader(uint8_t* out, int level);
/// `adler` is `Adler32` of all data, starting from 1.
void StoreZlibTrailer(uint8_t* out, uint32_t adler);

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_ZLIB_FORMAT_H_
