#ifndef TFR_CORE_RECORD_READ_OPTIONS_H_
#define TFR_CORE_RECORD_READ_OPTIONS_H_

#include <cstdint>

#include "core/compression/compression.h"
#include "core/content/members_ahead.h"

namespace tfr {

/// The checksums that are compared.
enum class Verify : uint8_t { kAll, kLength, kNone };

struct ReadOptions {
  Compression compression = Compression::kAuto;
  Verify verify = Verify::kAll;
  uint64_t max_record_bytes = 0x7fffffff;
  AheadLimits ahead;
  /// Stream offset and number of the record that the source begins with.
  uint64_t first_offset = 0;
  uint64_t first_record = 0;
  /// Reading may go on after damage. Then, after a record of wrong data in a
  /// compressed stream, no record is given before the members that hold the
  /// wrong one were found right. (Otherwise inflating went wrong, and a record
  /// that looks right may belong elsewhere.)
  bool goes_on = false;
  /// A halt gives the number of lost bytes, for which the rest is read through.
  bool counts_lost = false;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_READ_OPTIONS_H_
