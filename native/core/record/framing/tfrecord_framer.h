#ifndef TFR_CORE_RECORD_FRAMING_TFRECORD_FRAMER_H_
#define TFR_CORE_RECORD_FRAMING_TFRECORD_FRAMER_H_

#include <memory>

#include "core/record/framing/framer.h"
#include "core/record/read_options.h"

namespace tfr {

/// Finds TFRecords (format.h). Uses a length only after checking that it is
/// valid and allowed.
std::unique_ptr<Framer> NewTfrecordFramer(const ReadOptions& options);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FRAMING_TFRECORD_FRAMER_H_
