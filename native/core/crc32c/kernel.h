#ifndef TFR_CORE_CRC32C_KERNEL_H_
#define TFR_CORE_CRC32C_KERNEL_H_

#include "core/crc32c/crc32c.h"

namespace tfr::crc32c {

/// One implementation of `Extend`. A kernel may only run if `supported()`
/// returns true. All kernels return the same results.
struct Kernel {
  const char* name;
  bool (*supported)();
  ExtendFunction extend;
};

extern const Kernel kPortable;
#if defined(__x86_64__) || defined(_M_X64)
extern const Kernel kX86Sse42;
extern const Kernel kX86Avx2;
extern const Kernel kX86Avx512;
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
extern const Kernel kArm64;
#endif

/// The kernels of this build, best first; `kPortable`, which every CPU
/// supports, comes last.
struct KernelList {
  const Kernel* const* first;
  const Kernel* const* last;
  const Kernel* const* begin() const { return first; }
  const Kernel* const* end() const { return last; }
};
KernelList Kernels();

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_KERNEL_H_
