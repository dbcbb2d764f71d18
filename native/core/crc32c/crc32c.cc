#include "core/crc32c/crc32c.h"

#include <iterator>

#include "core/crc32c/kernel.h"

namespace tfr::crc32c {
namespace {

constexpr const Kernel* kKernels[] = {
#if defined(__x86_64__) || defined(_M_X64)
    &kX86Avx512,
    &kX86Avx2,
    &kX86Sse42,
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
    &kArm64,
#endif
    &kPortable,
};

const Kernel& Best() {
  for (const Kernel* kernel : kKernels) {
    if (kernel->supported()) return *kernel;
  }
  return kPortable;
}

uint32_t ChooseAndExtend(uint32_t crc, const uint8_t* data, size_t size) {
  const Kernel& best = Best();
  // Every kernel but the portable one requires the CRC instruction.
  internal::has_instruction.store(&best != &kPortable,
                                  std::memory_order_relaxed);
  internal::extend.store(best.extend, std::memory_order_relaxed);
  return best.extend(crc, data, size);
}

}  // namespace

std::atomic<ExtendFunction> internal::extend{&ChooseAndExtend};
std::atomic<bool> internal::has_instruction{false};

KernelList Kernels() { return {std::begin(kKernels), std::end(kKernels)}; }

const char* KernelName() { return Best().name; }

}  // namespace tfr::crc32c
