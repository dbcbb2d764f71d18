#ifndef TFR_ADDON_EXAMPLE_SCATTERED_RECORDS_H_
#define TFR_ADDON_EXAMPLE_SCATTERED_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "addon/base/handle.h"
#include "addon/base/napi_setup.h"

namespace tfr::addon {

/// Records in several slabs, in any order: the arguments `slabs`, `records` and
/// `count` of lib/native/binding.ts. Valid until JavaScript runs again, or as
/// long as both arrays are kept alive and JavaScript does not change their
/// memory.
class ScatteredRecords {
 public:
  /// Reads the arguments from `at` on. Throws for records outside of their
  /// slabs.
  ScatteredRecords(const Napi::CallbackInfo& info, size_t at);

  size_t size() const { return size_; }
  /// Sum of the record lengths.
  size_t bytes() const { return bytes_; }
  uint32_t length(size_t index) const { return records_[index].length; }
  /// True if no slab is shared with other threads.
  bool own() const { return own_; }

  /// Copies the records to `to` without gaps; it has room for `bytes()`.
  void CopyTo(uint8_t* to) const;
  /// Lays them out as frames (crc32c/record_format.h) without their two CRCs;
  /// there is room for `bytes()` and the framing of each.
  void FrameTo(uint8_t* to) const;

 private:
  struct Record {
    uint32_t slab;
    uint32_t offset;
    uint32_t length;
  };

  /// Calls `take(data, length)` for each record, in order.
  template <class Take>
  void ForEach(Take take) const;

  std::vector<ByteSpan> slabs_;
  const Record* records_ = nullptr;
  size_t size_ = 0;
  size_t bytes_ = 0;
  bool own_ = true;
};

/// Adds `gather` and `frame` of lib/native/binding.ts.
void ExportGather(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_EXAMPLE_SCATTERED_RECORDS_H_
