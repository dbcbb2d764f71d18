#ifndef TFR_CORE_CRC32C_COMBINE_H_
#define TFR_CORE_CRC32C_COMBINE_H_

#include <cstdint>

namespace tfr::crc32c {

/// CRC-32C of bytes of which the first have the CRC `first`, and the other
/// `size` have `second`.
uint32_t Combine(uint32_t first, uint32_t second, uint64_t size);

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_COMBINE_H_
