#ifndef TFR_CORE_CRC32C_POLYNOMIAL_H_
#define TFR_CORE_CRC32C_POLYNOMIAL_H_

#include <cstdint>

/// Arithmetic modulo P, the CRC-32C polynomial (Castagnoli, 0x1EDC6F41), from
/// which every table and folding constant of the kernels is computed at compile
/// time.
///
/// Polynomials are reflected, as in the CRC register: bit i of a 32-bit value
/// is the coefficient of x^(31-i).
namespace tfr::crc32c {

inline constexpr uint32_t kPolynomial = 0x82f63b78u;

/// a * x mod P.
constexpr uint32_t TimesX(uint32_t a) {
  return (a >> 1) ^ ((a & 1) != 0 ? kPolynomial : 0);
}

/// a * b mod P.
constexpr uint32_t Multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int i = 31; i >= 0; --i) {
    if ((b >> i & 1) != 0) product ^= a;
    a = TimesX(a);
  }
  return product;
}

/// x^n mod P.
constexpr uint32_t XPower(uint64_t n) {
  uint32_t result = 0x80000000u;
  uint32_t square = 0x40000000u;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = Multiply(result, square);
    square = Multiply(square, square);
  }
  return result;
}

/// The factors that move the 16 bytes of a vector register `bits` further from
/// the end of the message, by carry-less multiplication of its halves:
///
///   clmul(low half, Fold::low) ^ clmul(high half, Fold::high)
///
/// Bit i of a 128-bit register is the coefficient of x^(127-i). A product of a
/// 64-bit half (bit i: x^(63-i)) and a 32-bit factor (bit i: x^(31-i)) has
/// x^(94-k) at bit k, so it reads as 33 powers too many; and the low half
/// stands 64 powers above the high one. `bits` is at least 64.
struct Fold {
  uint32_t low;
  uint32_t high;
};

template <uint64_t bits>
inline constexpr Fold kFoldBy = {XPower(bits + 64 - 33), XPower(bits - 33)};

/// The factor that moves a 32-bit state `bits` (at least 33) further, when the
/// product goes through an 8-byte CRC step: clmul of two 32-bit values reads as
/// 1 power too many in a 64-bit word, and the step multiplies by x^32.
template <uint64_t bits>
inline constexpr uint32_t kShiftBy = XPower(bits - 33);

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_POLYNOMIAL_H_
