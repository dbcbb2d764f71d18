#ifndef TFR_CORE_RECORD_SLAB_FILL_H_
#define TFR_CORE_RECORD_SLAB_FILL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/compression/compression.h"

namespace tfr {

/// Position of one record's data in a slab.
struct Frame {
  uint32_t offset;
  uint32_t length;
};

enum class FillOutcome : uint8_t {
  kMore,       ///< There may be more: fill again.
  kEnd,        ///< The stream ended cleanly after the frames.
  kInput,      ///< The source ran dry before the next record was complete.
  kGrow,       ///< The next record needs a slab of `grow_to` bytes.
  kHalt,       ///< `halt` stops the stream after the frames.
  kCancelled,  ///< The fill was cancelled.
};

/// Content of one slab after a fill by `SlabStream`.
struct SlabFill {
  FillOutcome outcome = FillOutcome::kCancelled;
  TypedBuffer<Frame> frames;
  /// Number of the first frame's record.
  uint64_t first_record = 0;
  /// Stream offset of the slab's first byte.
  uint64_t base = 0;
  /// Records whose data CRC is wrong, in order. Set by `Complete`.
  TypedBuffer<Fault> faults;
  Fault halt;
  uint64_t grow_to = 0;
  uint64_t compressed_bytes = 0;
  uint64_t total_bytes = kUnknown;
  /// The detected compression.
  Compression compression = Compression::kNone;
  /// Position and number of source bytes that the frames span and `Complete`
  /// has yet to read.
  uint64_t unread_at = 0;
  size_t unread = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_SLAB_FILL_H_
