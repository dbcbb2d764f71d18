#ifndef TFR_CORE_CRC32C_CRC32C_H_
#define TFR_CORE_CRC32C_CRC32C_H_

#include <cstddef>
#include <cstdint>

namespace tfr::crc32c {

/// Continues the finished CRC-32C `crc` over `size` bytes at `data`, at any
/// alignment, with the fastest kernel this CPU has. `Extend(0, ...)` is the CRC
/// of the bytes alone (RFC 3720, appendix B.4).
uint32_t Extend(uint32_t crc, const uint8_t* data, size_t size);

/// CRC-32C of the 8 bytes at `data`: the length field of a record. Pays no
/// dispatch where the build can avoid it.
uint32_t Value8(const uint8_t* data);

/// Name of the kernel that `Extend` uses, for reports: "portable",
/// "sse42-pclmul", ...
const char* KernelName();

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_CRC32C_H_
