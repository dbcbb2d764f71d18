#ifndef TFR_CORE_RECORD_HEADER_WALK_H_
#define TFR_CORE_RECORD_HEADER_WALK_H_

#include <cstddef>
#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/content/content_stream.h"
#include "core/record/read_options.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Large records of a plain file are framed by their headers alone, so that
/// their data can be read by several threads at a time: one slab's beside the
/// next one's headers. (A read of 12 bytes costs 0.3 us, one of 1 MiB 150.)

/// Frames records from `position` on, as far as they are right, allowed, whole,
/// and within `limit` bytes. Judges nothing: where it stops, the bytes must be
/// read. Returns the bytes that the frames span.
size_t WalkHeaders(const ContentStream& content, uint64_t position,
                   uint64_t limit, const ReadOptions& options,
                   TypedBuffer<Frame>* frames);

/// Reads the `size` bytes at `position` that `frames` span to `slab`, and sees
/// that their headers are those that were walked: the file may have changed.
/// Beside other calls on `content`. `fault.record` of a fault is the first
/// frame that is not whole, counted from 0; it has no other place.
Fault ReadWalked(const ContentStream& content, uint64_t position, size_t size,
                 const TypedBuffer<Frame>& frames, const CancelToken& cancel,
                 uint8_t* slab);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_HEADER_WALK_H_
