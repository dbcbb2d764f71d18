#ifndef TFR_CORE_CRC32C_RECORD_FORMAT_H_
#define TFR_CORE_CRC32C_RECORD_FORMAT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"

namespace tfr {

/// Format of a record (docs/format.md). It is here, below the rooms that
/// detect, read and write records. All numbers are little-endian:
///
///   0            uint64  length of the data
///   8            uint32  masked CRC-32C of those 8 bytes
///   12           bytes   data
///   12 + length  uint32  masked CRC-32C of the data
inline constexpr size_t kLengthSize = 8;
inline constexpr size_t kCrcSize = 4;
inline constexpr size_t kHeaderSize = kLengthSize + kCrcSize;
inline constexpr size_t kFooterSize = kCrcSize;
inline constexpr size_t kFramingSize = kHeaderSize + kFooterSize;

/// True if the 12 bytes at `header` are a length and its valid checksum.
inline bool LengthIsRight(const uint8_t* header) {
  return crc32c::Mask(crc32c::Value8(header)) == LoadLE32(header + kLengthSize);
}

}  // namespace tfr

#endif  // TFR_CORE_CRC32C_RECORD_FORMAT_H_
