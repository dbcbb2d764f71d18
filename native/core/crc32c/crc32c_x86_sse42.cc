#if defined(__x86_64__) || defined(_M_X64)

#if defined(_MSC_VER) && !defined(__clang__)
#define TFR_CRC32C_TARGET
#else
#define TFR_CRC32C_TARGET __attribute__((target("sse4.2,pclmul")))
#endif

#include "core/crc32c/blocks.h"
#include "core/crc32c/has_sse42.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/x86_sse42.h"

namespace tfr::crc32c {
namespace {

// Between the balance of the two units on Intel (3) and on AMD (5).
constexpr int kWords = 4;

TFR_CRC32C_TARGET uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  return ExtendInBlocks<Sse42, kWords>(crc, data, size);
}

}  // namespace

const Kernel kX86Sse42 = {"x86-sse42", &HasSse42, &Run};

}  // namespace tfr::crc32c

#endif  // x86-64
