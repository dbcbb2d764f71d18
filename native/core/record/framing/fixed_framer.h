#ifndef TFR_CORE_RECORD_FRAMING_FIXED_FRAMER_H_
#define TFR_CORE_RECORD_FRAMING_FIXED_FRAMER_H_

#include <cstdint>
#include <memory>

#include "core/record/framing/framer.h"

namespace tfr {

/// Layout of a file of fixed-length records; all sizes in bytes.
struct FixedLayout {
  uint64_t record_bytes = 1;
  /// Before the first record, and after the last.
  uint64_t header_bytes = 0;
  uint64_t footer_bytes = 0;
  /// Distance from the start of a record to that of the next, at least 1; less
  /// than a record if records overlap.
  uint64_t hop_bytes = 1;
};

/// Finds fixed-length records. `start`: where reading begins, which is the
/// start of the file or of a record. If the file does not consist of header,
/// records and footer, the fault is kTruncated, and its `part` names which of
/// them is incomplete.
std::unique_ptr<Framer> NewFixedFramer(const FixedLayout& layout,
                                       const StreamPlace& start);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FRAMING_FIXED_FRAMER_H_
