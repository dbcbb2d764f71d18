#ifndef TFR_CORE_RECORD_RECOVERY_FRAME_SEARCH_H_
#define TFR_CORE_RECORD_RECOVERY_FRAME_SEARCH_H_

#include <cstddef>
#include <cstdint>

#include "core/record/recovery/data_checks.h"

namespace tfr {

/// Finding records in bytes that do not begin with one. A header is right if
/// its checksum is, and its length is at most `most`; a record is whole if its
/// header and the checksum of its data are right.

/// Returns the first index from `from` on where a right header begins. If there
/// is none, returns the first index with less than a header after it, or `from`
/// if that is larger.
size_t FindHeader(const uint8_t* data, size_t size, size_t from, uint64_t most);

/// Returns true if a whole record lies within `data`.
bool HoldsWholeRecord(const uint8_t* data, size_t size);

/// Returns the only length below 2^32 with the checksum `stored`, as a header
/// holds it: a record's length, if only the length was damaged.
uint32_t LengthOfCrc(uint32_t stored);

/// Whole records between two places.
struct InnerRecords {
  /// Index of the first of those that run up to the second place without a gap;
  /// `size` if there are none.
  size_t chain;
  /// The number of the others.
  uint64_t others;
};

/// Finds the whole records within `data`, from `from` on. Those within other
/// whole records do not count. `checks` must be those of `data`.
InnerRecords FindInner(const uint8_t* data, size_t size, size_t from,
                       uint64_t most, DataChecks* checks);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_RECOVERY_FRAME_SEARCH_H_
