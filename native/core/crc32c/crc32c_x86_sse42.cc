#if defined(__x86_64__) || defined(_M_X64)

#if defined(_MSC_VER) && !defined(__clang__)
#define TFR_CRC32C_TARGET
#else
#define TFR_CRC32C_TARGET __attribute__((target("sse4.2,pclmul")))
#endif

#include "core/crc32c/fused_block.h"
#include "core/crc32c/has_sse42.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/serial.h"
#include "core/crc32c/x86_sse42.h"

namespace tfr::crc32c {
namespace {

using Large = FusedBlock<Sse42, 64>;
using Medium = FusedBlock<Sse42, 8>;
using Small = FusedBlock<Sse42, 2>;

TFR_CRC32C_TARGET uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  uint32_t state = ~crc;
  for (; size >= Large::kBytes; size -= Large::kBytes) {
    state = Large::Extend(state, data);
    data += Large::kBytes;
  }
  for (; size >= Medium::kBytes; size -= Medium::kBytes) {
    state = Medium::Extend(state, data);
    data += Medium::kBytes;
  }
  for (; size >= Small::kBytes; size -= Small::kBytes) {
    state = Small::Extend(state, data);
    data += Small::kBytes;
  }
  return ~SerialSteps<Sse42>(state, data, size);
}

}  // namespace

const Kernel kX86Sse42 = {"x86-sse42", &HasSse42, &Run};

}  // namespace tfr::crc32c

#endif  // x86-64
