#ifndef TFR_CORE_RECORD_LINE_FRAMERS_H_
#define TFR_CORE_RECORD_LINE_FRAMERS_H_

#include <cstdint>
#include <memory>

#include "core/record/framer.h"

namespace tfr {

/// Finds lines, which LF or CR LF ends; the last need not have an end. A byte
/// order mark at the start of the stream belongs to none. One longer than
/// `max_record_bytes` halts, and cannot be passed over.
std::unique_ptr<Framer> NewLineFramer(uint64_t max_record_bytes);

/// Finds records of comma-separated values: the same, but a field that begins
/// with a quote may hold line ends up to the quote that ends it. `delimiter`
/// separates fields.
std::unique_ptr<Framer> NewCsvFramer(uint8_t delimiter,
                                     uint64_t max_record_bytes);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_LINE_FRAMERS_H_
