#include <array>

#include "core/base/endian.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/polynomial.h"

namespace tfr::crc32c {
namespace {

/// Slicing by 8: `kTable[k][b]` is the state after byte b and k zero bytes.
using Table = std::array<std::array<uint32_t, 256>, 8>;

constexpr Table MakeTable() {
  Table table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t state = byte;
    for (int bit = 0; bit < 8; ++bit) state = TimesX(state);
    table[0][byte] = state;
  }
  for (size_t zeros = 1; zeros < 8; ++zeros) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t state = table[zeros - 1][byte];
      table[zeros][byte] = (state >> 8) ^ table[0][state & 0xff];
    }
  }
  return table;
}

constexpr Table kTable = MakeTable();

uint32_t Run(uint32_t crc, const uint8_t* data, size_t size) {
  uint32_t state = ~crc;
  for (; size >= 8; data += 8, size -= 8) {
    const uint64_t word = LoadLE64(data) ^ state;
    state = 0;
    for (int i = 0; i < 8; ++i) {
      state ^= kTable[7 - i][word >> (8 * i) & 0xff];
    }
  }
  for (; size != 0; ++data, --size) {
    state = (state >> 8) ^ kTable[0][(state ^ *data) & 0xff];
  }
  return ~state;
}

bool Supported() { return true; }

}  // namespace

const Kernel kPortable = {"portable", &Supported, &Run};

}  // namespace tfr::crc32c
