#ifndef TFR_TEST_SUPPORT_SALVAGING_H_
#define TFR_TEST_SUPPORT_SALVAGING_H_

#include <cstdint>
#include <string>

#include "core/crc32c/record_format.h"
#include "test/support/record_files.h"

namespace tfr::test {

inline ReadOptions Salvaging(ReadOptions options = {}) {
  options.continues = options.counts_lost = options.salvages = true;
  return options;
}

inline bool SameRegion(const Fault& a, const Fault& b) {
  return a.code == b.code && a.record == b.record && a.offset == b.offset &&
         a.lost == b.lost && a.resumes == b.resumes &&
         a.resume_at == b.resume_at && a.region_end == b.region_end &&
         a.resume_record == b.resume_record && a.inside == b.inside &&
         a.doubtful == b.doubtful;
}

/// True if two salvaging readers found the same records and regions.
inline bool SameSalvage(const Reading& a, const Reading& b) {
  if (a.records != b.records || a.numbers != b.numbers ||
      a.offsets != b.offsets || a.outcome != b.outcome ||
      !SameRegion(a.halt, b.halt) || a.skipped.size() != b.skipped.size()) {
    return false;
  }
  for (size_t i = 0; i < a.skipped.size(); ++i) {
    if (!SameRegion(a.skipped[i], b.skipped[i])) return false;
  }
  return true;
}

/// Returns how many bytes of plain content the records and regions of
/// `reading` account for.
inline uint64_t Accounted(const Reading& reading) {
  uint64_t bytes = 0;
  for (const std::string& record : reading.records) {
    bytes += record.size() + kFramingSize;
  }
  for (const Fault& region : reading.skipped) bytes += region.lost;
  return bytes + (reading.halt ? reading.halt.lost : 0);
}

}  // namespace tfr::test

#endif  // TFR_TEST_SUPPORT_SALVAGING_H_
