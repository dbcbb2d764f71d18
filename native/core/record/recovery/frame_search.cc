#include "core/record/recovery/frame_search.h"

#include <algorithm>

#include "core/crc32c/polynomial.h"
#include "core/crc32c/record_format.h"

namespace tfr {
namespace {

/// Distance of the bytes of which one is in every length's upper half.
constexpr size_t kStride = 4;
/// The last byte of a length.
constexpr size_t kLast = kLengthSize - 1;
constexpr size_t kWords = 16;
constexpr size_t kBlock = kWords * kStride;

/// True if one of the 16 bytes at `at`, `at` + 4, ... is 0. Compilers make a
/// few vector instructions of it.
bool AnyZero(const uint8_t* at) {
  uint32_t any = 0;
  for (size_t i = 0; i < kWords; ++i) {
    any |= static_cast<uint32_t>((LoadLE32(at + kStride * i) & 0xff) == 0);
  }
  return any != 0;
}

/// The inverse of `crc32c::TimesX`: a / x mod P.
constexpr uint32_t DividedByX(uint32_t a) {
  constexpr uint32_t kTop = 0x80000000u;
  return (a & kTop) != 0 ? ((a ^ crc32c::kPolynomial) << 1) | 1 : a << 1;
}

}  // namespace

/// The upper half of a length is zero, so every fourth byte suffices to rule
/// out four places: random bytes take one comparison in four.
size_t FindHeader(const uint8_t* data, size_t size, size_t from,
                  uint64_t most) {
  size_t at = from;
  while (size >= kHeaderSize && at <= size - kHeaderSize) {
    if (size - at >= kBlock + kHeaderSize && !AnyZero(data + at + kLast)) {
      at += kBlock;
      continue;
    }
    const size_t end = std::min(size - kHeaderSize + 1, at + kBlock);
    while (at < end) {
      const uint8_t* const header = data + at;
      if (header[kLast] != 0) {
        at += kStride;
        continue;
      }
      if (LoadLE32(header + kLengthSize / 2) == 0 && LoadLE32(header) <= most &&
          LengthIsRight(header)) {
        return at;
      }
      ++at;
    }
  }
  const size_t undecided = size < kHeaderSize ? 0 : size - kHeaderSize + 1;
  return std::max(from, undecided);
}

uint32_t LengthOfCrc(uint32_t stored) {
  uint32_t state = ~crc32c::Unmask(stored);
  for (size_t bit = 0; bit < 8 * kLengthSize; ++bit) state = DividedByX(state);
  return ~state;
}

InnerRecords FindInner(const uint8_t* data, size_t size, size_t from,
                       uint64_t most, DataChecks* checks) {
  InnerRecords inner = {size, 0};
  const auto whole = [&](size_t at) -> size_t {
    if (size - at < kFramingSize ||
        FindHeader(data, at + kHeaderSize, at, most) != at) {
      return 0;
    }
    const uint64_t need = LoadLE64(data + at) + kFramingSize;
    const bool right = need <= size - at && checks->IsRight(data, at);
    return right ? static_cast<size_t>(need) : 0;
  };
  for (size_t at = from;;) {
    at = FindHeader(data, size, at, most);
    if (at > size || size - at < kHeaderSize) return inner;
    const size_t start = at;
    uint64_t records = 0;
    for (size_t need = whole(at); need > 0; need = whole(at)) {
      at += need;
      ++records;
    }
    if (records > 0 && at == size) {
      inner.chain = start;
      return inner;
    }
    inner.others += records;
    if (records == 0) ++at;
  }
}

bool HoldsWholeRecord(const uint8_t* data, size_t size) {
  DataChecks checks;
  for (size_t at = 0;; ++at) {
    at = FindHeader(data, size, at, size);
    if (size < at + kHeaderSize) return false;
    const uint64_t need = LoadLE64(data + at) + kFramingSize;
    if (need <= size - at && checks.IsRight(data, at)) return true;
  }
}

}  // namespace tfr
