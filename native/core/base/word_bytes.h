#ifndef TFR_CORE_BASE_WORD_BYTES_H_
#define TFR_CORE_BASE_WORD_BYTES_H_

#include <cstdint>

/// Looks at the eight bytes of a word at once. A result stands in the top bits
/// of bytes, which `kTops` selects.
namespace tfr {

inline constexpr uint64_t kOnes = 0x0101010101010101;
inline constexpr uint64_t kTops = kOnes << 7;

/// Sets the top bit of the first byte that is below `c`, at most 0x80, and
/// maybe of later ones; bytes from 0x80 on are not found.
constexpr uint64_t BytesBelow(uint64_t word, uint8_t c) {
  return (word - kOnes * c) & ~word;
}

/// Sets the top bit of the first byte that is `c`, and maybe of later ones.
constexpr uint64_t BytesEqual(uint64_t word, uint8_t c) {
  return BytesBelow(word ^ kOnes * c, 1);
}

}  // namespace tfr

#endif  // TFR_CORE_BASE_WORD_BYTES_H_
