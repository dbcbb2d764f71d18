#ifndef TFR_CORE_WRITE_FRAME_SUMS_H_
#define TFR_CORE_WRITE_FRAME_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/fault.h"

namespace tfr {

/// Writes both masked CRCs of every record in `data`: `size` bytes of whole
/// records (core/crc32c/record_format.h) whose lengths are set. Never touches a
/// byte outside of `data`: if the lengths do not add up to `size`, the fault is
/// EINVAL. Cancelled: ECANCELED.
Fault FillFrameSums(uint8_t* data, size_t size, const CancelToken& cancel);

}  // namespace tfr

#endif  // TFR_CORE_WRITE_FRAME_SUMS_H_
