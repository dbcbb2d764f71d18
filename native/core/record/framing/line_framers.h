#ifndef TFR_CORE_RECORD_FRAMING_LINE_FRAMERS_H_
#define TFR_CORE_RECORD_FRAMING_LINE_FRAMERS_H_

#include <cstdint>
#include <memory>

#include "core/record/framing/framer.h"

namespace tfr {

/// Finds lines, which end with LF or CR LF; the last line may lack its end. A
/// byte order mark at the start of the stream is not part of a line. A line
/// longer than `max_record_bytes` halts the stream, and cannot be skipped.
std::unique_ptr<Framer> NewLineFramer(uint64_t max_record_bytes);

/// Finds records of comma-separated values. Like lines, but a field that begins
/// with a quote may contain line ends, up to the closing quote. `delimiter`
/// separates fields.
std::unique_ptr<Framer> NewCsvFramer(uint8_t delimiter,
                                     uint64_t max_record_bytes);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FRAMING_LINE_FRAMERS_H_
