#ifndef TFR_CORE_RECORD_READ_START_H_
#define TFR_CORE_RECORD_READ_START_H_

#include <cstdint>
#include <memory>

#include "core/content/checkpoint.h"

namespace tfr {

/// The record with which reading begins. Default: the first one.
struct ReadStart {
  /// Number of the record.
  uint64_t record = 0;
  /// Its offset in the content.
  uint64_t offset = 0;
  /// Compressed content: the last known checkpoint at or before the record. A
  /// start other than the beginning without one is only for plain content.
  std::shared_ptr<const Checkpoint> from;
  /// The length of that record had a valid checksum when the index was made, so
  /// it must have one now, even where lengths are not verified.
  bool checked = false;

  /// Position in the file of the first byte to read.
  uint64_t position() const { return from ? from->point.consumed : offset; }
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_READ_START_H_
