#ifndef TFR_CORE_RECORD_SLAB_FILL_H_
#define TFR_CORE_RECORD_SLAB_FILL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/compression/compression.h"

namespace tfr {

/// The payload of one record, within a slab.
struct Frame {
  uint32_t offset;
  uint32_t length;
};

enum class FillOutcome : uint8_t {
  kMore,       ///< There may be more: fill again.
  kEnd,        ///< The stream ended cleanly behind the frames.
  kInput,      ///< The source ran dry before a whole record was there.
  kGrow,       ///< The next record needs a slab of `grow_to` bytes.
  kHalt,       ///< `halt` stops the stream behind the frames.
  kCancelled,  ///< Somebody asked to stop.
};

/// What one slab holds after a fill of `SlabStream`.
struct SlabFill {
  FillOutcome outcome = FillOutcome::kCancelled;
  TypedBuffer<Frame> frames;
  /// Number of the first frame's record.
  uint64_t first_record = 0;
  /// Stream offset of the slab's first byte.
  uint64_t base = 0;
  /// Records whose data CRC is wrong, in order. Known after `Complete`.
  TypedBuffer<Fault> faults;
  Fault halt;
  uint64_t grow_to = 0;
  uint64_t compressed_bytes = 0;
  uint64_t total_bytes = kUnknown;
  /// What the source was found to be.
  Compression compression = Compression::kNone;
  /// Bytes at a position of the source that the frames span and `Complete` is
  /// still to read.
  uint64_t unread_at = 0;
  size_t unread = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_SLAB_FILL_H_
