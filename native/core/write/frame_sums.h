#ifndef TFR_CORE_WRITE_FRAME_SUMS_H_
#define TFR_CORE_WRITE_FRAME_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/write/slab_encoder.h"

namespace tfr {

/// Writes both masked CRCs of every record in `data`: `size` bytes of whole
/// records (core/crc32c/record_format.h) whose lengths are set. Never touches a
/// byte outside of `data`: if the lengths do not add up to `size`, the fault is
/// EINVAL. Cancelled: ECANCELED.
Fault FillFrameSums(uint8_t* data, size_t size, const CancelToken& cancel);

/// The same for the records of `slab`, unless it has its checksums.
inline Fault EnsureFrameSums(const Slab& slab, const CancelToken& cancel) {
  if (slab.summed) return {};
  return FillFrameSums(slab.data, slab.size, cancel);
}

/// From this length on, combining two checksums takes less time than reading.
inline constexpr uint64_t kLongRecord = uint64_t{32} << 10;

/// Continues the CRC-32C `crc` over `size` bytes at `data`: whole records whose
/// checksums are right. Those of long records stand for their data, which is
/// not read.
uint32_t ExtendOverFrames(uint32_t crc, const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_WRITE_FRAME_SUMS_H_
