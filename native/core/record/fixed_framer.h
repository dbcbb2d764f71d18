#ifndef TFR_CORE_RECORD_FIXED_FRAMER_H_
#define TFR_CORE_RECORD_FIXED_FRAMER_H_

#include <cstdint>
#include <memory>

#include "core/record/framer.h"

namespace tfr {

/// How records of one length lie in a file; all in bytes.
struct FixedLayout {
  uint64_t record_bytes = 1;
  /// Before the first record, and behind the last.
  uint64_t header_bytes = 0;
  uint64_t footer_bytes = 0;
  /// From the start of a record to that of the next: 1 or more, less than a
  /// record where they overlap.
  uint64_t hop_bytes = 1;
};

/// Finds records of one length. `start`: where reading begins, either the start
/// of the file or a record. A rest that is no record, header and footer is
/// kTruncated; its `part` says which of them.
std::unique_ptr<Framer> NewFixedFramer(const FixedLayout& layout,
                                       const StreamPlace& start);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FIXED_FRAMER_H_
