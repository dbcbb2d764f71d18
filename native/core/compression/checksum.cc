#include "core/compression/checksum.h"

#include <zlib.h>

#include "core/deflate/isal_library.h"
#include "core/deflate/registry.h"

#if defined(TFR_HAVE_LIBDEFLATE)
#include <libdeflate.h>
#endif

namespace tfr {
namespace {

/// zlib's sizes have 32 bits.
constexpr size_t kZlibPiece = size_t{1} << 30;

template <typename Function>
uint32_t InPieces(Function function, uint32_t sum, const uint8_t* data,
                  size_t size) {
  while (size > 0) {
    const size_t piece = size < kZlibPiece ? size : kZlibPiece;
    sum = static_cast<uint32_t>(
        function(sum, data, static_cast<unsigned>(piece)));
    data += piece;
    size -= piece;
  }
  return sum;
}

/// CRC-32's polynomial; the lowest bit has the highest power, as in the sums.
constexpr uint32_t kPolynomial = 0xedb88320;

/// Returns the product of two polynomials, modulo that of CRC-32.
uint32_t Multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a & 0x80000000u) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

}  // namespace

// Which library is faster was measured: ISA-L for CRC-32, libdeflate for
// Adler-32.

uint32_t Crc32(uint32_t crc, const uint8_t* data, size_t size) {
  // The libraries return the initial value for a null pointer.
  if (size == 0) return crc;
  const CodecChoice available = AvailableCodecs();
#if defined(TFR_HAVE_ISAL)
  if (available.isal) {
    return LoadIsal()->crc32_gzip_refl(crc, data, size);
  }
#endif
#if defined(TFR_HAVE_LIBDEFLATE)
  if (available.libdeflate) return libdeflate_crc32(crc, data, size);
#endif
  static_cast<void>(available);
  return InPieces(crc32, crc, data, size);
}

uint32_t CombineCrc32(uint32_t crc, uint32_t next, uint64_t size) {
  // Each byte after the first ones multiplies their sum by x^8.
  for (uint32_t power = 0x80000000u >> 8; size != 0; size >>= 1) {
    if ((size & 1) != 0) crc = Multiply(power, crc);
    power = Multiply(power, power);
  }
  return crc ^ next;
}

uint32_t Adler32(uint32_t adler, const uint8_t* data, size_t size) {
  if (size == 0) return adler;
  const CodecChoice available = AvailableCodecs();
#if defined(TFR_HAVE_LIBDEFLATE)
  if (available.libdeflate) return libdeflate_adler32(adler, data, size);
#endif
#if defined(TFR_HAVE_ISAL)
  if (available.isal) return LoadIsal()->isal_adler32(adler, data, size);
#endif
  static_cast<void>(available);
  return InPieces(adler32, adler, data, size);
}

}  // namespace tfr
