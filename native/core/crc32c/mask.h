#ifndef TFR_CORE_CRC32C_MASK_H_
#define TFR_CORE_CRC32C_MASK_H_

#include <cstdint>

namespace tfr::crc32c {

inline constexpr uint32_t kMaskDelta = 0xa282ead8u;

/// Masks a CRC as TFRecord stores it: rotated right by 15 bits, plus a
/// constant, modulo 2^32. Masking keeps the CRC of data that contains CRCs
/// useful.
constexpr uint32_t Mask(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + kMaskDelta;
}

constexpr uint32_t Unmask(uint32_t masked) {
  const uint32_t rotated = masked - kMaskDelta;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_MASK_H_
