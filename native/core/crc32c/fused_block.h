#ifndef TFR_CORE_CRC32C_FUSED_BLOCK_H_
#define TFR_CORE_CRC32C_FUSED_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/crc32c/polynomial.h"

#if !defined(TFR_CRC32C_TARGET)
#error "define TFR_CRC32C_TARGET, the target attribute of the kernel's file"
#endif

namespace tfr::crc32c {

/// A block of fixed size, computed by two units of the CPU at once. Its first
/// part is folded in four vector registers. The rest goes through the CRC
/// instruction as three streams, a third each: three streams hide the
/// instruction's latency of 3 cycles. A round takes one vector per register and
/// `kWords` words per stream, which balances the two units. Multiplications
/// then shift the parts to their places; the factors depend on the sizes, hence
/// the template.
///
/// `Cpu` provides `kVectorBytes`, `Vector`, `Load`, `FromState(uint32_t)`,
/// `Factors(Fold)`, `FoldOnto(v, factors, onto)`, `Reduce(v)` to a state,
/// `Step64(state, word)` and `Multiply32(a, b)`, the carry-less product.
template <class Cpu, int kRounds, int kWords>
struct FusedBlock {
  static_assert(kRounds >= 2, "a stream must not be empty");

  static constexpr size_t kWidth = Cpu::kVectorBytes;
  static constexpr size_t kStreamBytes = 8 * size_t{kWords} * (kRounds - 1);
  static constexpr size_t kBytes = 4 * kWidth * kRounds + 3 * kStreamBytes;

  /// Returns the state after the `kBytes` bytes at `data`.
  TFR_CRC32C_TARGET static uint32_t Extend(uint32_t state,
                                           const uint8_t* data) {
    using Vector = typename Cpu::Vector;
    constexpr uint64_t kBits = 8 * kWidth;
    const uint8_t* words = data + 4 * kWidth * kRounds;
    Vector v0 = Cpu::Xor(Cpu::Load(data), Cpu::FromState(state));
    Vector v1 = Cpu::Load(data + kWidth);
    Vector v2 = Cpu::Load(data + 2 * kWidth);
    Vector v3 = Cpu::Load(data + 3 * kWidth);
    uint32_t s0 = 0;
    uint32_t s1 = 0;
    uint32_t s2 = 0;
    const Vector by4 = Cpu::Factors(kFoldBy<4 * kBits>);
    for (int round = 1; round < kRounds; ++round) {
      data += 4 * kWidth;
      v0 = Cpu::FoldOnto(v0, by4, Cpu::Load(data));
      v1 = Cpu::FoldOnto(v1, by4, Cpu::Load(data + kWidth));
      v2 = Cpu::FoldOnto(v2, by4, Cpu::Load(data + 2 * kWidth));
      v3 = Cpu::FoldOnto(v3, by4, Cpu::Load(data + 3 * kWidth));
      for (int word = 0; word < kWords; ++word) {
        s0 = Cpu::Step64(s0, LoadLE64(words));
        s1 = Cpu::Step64(s1, LoadLE64(words + kStreamBytes));
        s2 = Cpu::Step64(s2, LoadLE64(words + 2 * kStreamBytes));
        words += 8;
      }
    }

    v3 = Cpu::FoldOnto(v2, Cpu::Factors(kFoldBy<kBits>), v3);
    v3 = Cpu::FoldOnto(v1, Cpu::Factors(kFoldBy<2 * kBits>), v3);
    v3 = Cpu::FoldOnto(v0, Cpu::Factors(kFoldBy<3 * kBits>), v3);

    constexpr uint64_t kStreamBits = 8 * kStreamBytes;
    const uint64_t sum =
        Cpu::Multiply32(Cpu::Reduce(v3), kShiftBy<3 * kStreamBits>) ^
        Cpu::Multiply32(s0, kShiftBy<2 * kStreamBits>) ^
        Cpu::Multiply32(s1, kShiftBy<kStreamBits>);
    return Cpu::Step64(0, sum) ^ s2;
  }
};

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_FUSED_BLOCK_H_
