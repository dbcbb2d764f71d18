#ifndef TFR_CORE_RECORD_RECOVERY_DATA_CHECKS_H_
#define TFR_CORE_RECORD_RECOVERY_DATA_CHECKS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"

namespace tfr {

/// Checks the data of records that are found in bytes. Headers in hostile bytes
/// may name long data that overlaps; so once much was read in vain, checksums
/// of the bytes up to every few KiB are kept, and a check reads little.
class DataChecks {
 public:
  /// True if the record at index `at` of `data`, all of which is there, has
  /// data with the right checksum. Bytes once seen must stay as and where they
  /// are, relative to `data`, until `Clear`.
  bool IsRight(const uint8_t* data, size_t at);
  void Clear() { kept_.Truncate(0); }

 private:
  uint32_t CrcUpTo(const uint8_t* data, size_t end);

  /// Bytes of data with wrong checksums.
  uint64_t in_vain_ = 0;
  /// The checksums of the first kEach bytes, twice as many, and so on.
  TypedBuffer<uint32_t> kept_;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_RECOVERY_DATA_CHECKS_H_
