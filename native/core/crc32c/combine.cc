#include "core/crc32c/combine.h"

#include <array>
#include <cstddef>

#include "core/crc32c/polynomial.h"

namespace tfr::crc32c {
namespace {

using Shifts = std::array<uint32_t, 64>;

/// At index i the factor that moves a CRC by 2^i bytes.
constexpr Shifts MakeShifts() {
  Shifts shifts{};
  uint32_t power = XPower(8);
  for (size_t i = 0; i < shifts.size(); ++i) {
    shifts[i] = power;
    power = Multiply(power, power);
  }
  return shifts;
}

constexpr Shifts kShifts = MakeShifts();

}  // namespace

uint32_t Combine(uint32_t first, uint32_t second, uint64_t size) {
  for (size_t i = 0; size != 0; ++i, size >>= 1) {
    if ((size & 1) != 0) first = Multiply(first, kShifts[i]);
  }
  return first ^ second;
}

}  // namespace tfr::crc32c
