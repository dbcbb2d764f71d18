#include "core/record/recovery/data_checks.h"

#include "core/crc32c/polynomial.h"
#include "core/crc32c/record_format.h"

namespace tfr {
namespace {

constexpr size_t kEach = 4096;
/// Bytes that may be read in vain before checksums are kept.
constexpr uint64_t kMostInVain = uint64_t{16} << 20;

}  // namespace

bool DataChecks::IsRight(const uint8_t* data, size_t at) {
  const auto length = static_cast<size_t>(LoadLE64(data + at));
  const size_t begin = at + kHeaderSize;
  uint32_t crc = 0;
  if (length <= kEach || in_vain_ <= kMostInVain) {
    crc = crc32c::Extend(0, data + begin, length);
  } else {
    // The checksum of all bytes, less that of those before, moved to the end.
    const uint32_t before = CrcUpTo(data, begin);
    crc = CrcUpTo(data, begin + length) ^
          crc32c::Multiply(before, crc32c::XPower(uint64_t{8} * length));
  }
  if (crc32c::Mask(crc) == LoadLE32(data + begin + length)) return true;
  in_vain_ += length;
  return false;
}

uint32_t DataChecks::CrcUpTo(const uint8_t* data, size_t end) {
  while ((kept_.size() + 1) * kEach <= end) {
    const size_t from = kept_.size() * kEach;
    const uint32_t before = kept_.empty() ? 0 : kept_[kept_.size() - 1];
    // Without memory for it, the rest is read again each time.
    if (!kept_.Push(crc32c::Extend(before, data + from, kEach))) break;
  }
  const size_t known = end / kEach < kept_.size() ? end / kEach : kept_.size();
  const uint32_t before = known == 0 ? 0 : kept_[known - 1];
  return crc32c::Extend(before, data + known * kEach, end - known * kEach);
}

}  // namespace tfr
