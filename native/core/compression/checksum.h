#ifndef TFR_CORE_COMPRESSION_CHECKSUM_H_
#define TFR_CORE_COMPRESSION_CHECKSUM_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// CRC-32 of gzip (RFC 1952): continues the finished `crc` over `size` bytes;
/// start with 0. (Records use CRC-32C: core/crc32c.)
uint32_t Crc32(uint32_t crc, const uint8_t* data, size_t size);

/// Returns the CRC-32 of some bytes followed by `size` others: `crc` is that of
/// the first ones, `next` that of the others.
uint32_t CombineCrc32(uint32_t crc, uint32_t next, uint64_t size);

/// Adler-32 of zlib (RFC 1950): continues `adler`; start with 1.
uint32_t Adler32(uint32_t adler, const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_CHECKSUM_H_
