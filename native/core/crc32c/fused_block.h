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

/// A block of fixed size, done by two units of the CPU at once: its first part
/// is folded in four vector registers, the rest goes as three streams, a third
/// each, through the CRC instruction, whose latency of 3 cycles three streams
/// hide. The parts are then moved to their places by multiplication; the
/// factors depend on the sizes, hence the template.
///
/// `Cpu` gives `Vector`, `Load`, `Xor`, `Factors(Fold)`, `FoldVector(v,
/// factors)`, `LowHalf`, `HighHalf`, `FromState(uint32_t)`, `Step64(state,
/// word)` and `Multiply32(a, b)`, the carry-less product.
template <class Cpu, int kRounds>
struct FusedBlock {
  static_assert(kRounds >= 2, "a stream must not be empty");

  // A round of 4 folds (8 multiplications) takes as long as 9 CRC steps.
  static constexpr size_t kWordsPerRound = 3;
  static constexpr size_t kVectorBytes = 64 * size_t{kRounds};
  static constexpr size_t kStreamBytes = 8 * kWordsPerRound * (kRounds - 1);
  static constexpr size_t kBytes = kVectorBytes + 3 * kStreamBytes;

  /// The state after the `kBytes` bytes at `data`.
  TFR_CRC32C_TARGET static uint32_t Extend(uint32_t state,
                                           const uint8_t* data) {
    using Vector = typename Cpu::Vector;
    const uint8_t* words = data + kVectorBytes;
    Vector v0 = Cpu::Xor(Cpu::Load(data), Cpu::FromState(state));
    Vector v1 = Cpu::Load(data + 16);
    Vector v2 = Cpu::Load(data + 32);
    Vector v3 = Cpu::Load(data + 48);
    uint32_t s0 = 0;
    uint32_t s1 = 0;
    uint32_t s2 = 0;
    const auto by512 = Cpu::Factors(kFoldBy<512>);
    for (int round = 1; round < kRounds; ++round) {
      data += 64;
      v0 = Cpu::Xor(Cpu::FoldVector(v0, by512), Cpu::Load(data));
      v1 = Cpu::Xor(Cpu::FoldVector(v1, by512), Cpu::Load(data + 16));
      v2 = Cpu::Xor(Cpu::FoldVector(v2, by512), Cpu::Load(data + 32));
      v3 = Cpu::Xor(Cpu::FoldVector(v3, by512), Cpu::Load(data + 48));
      for (size_t word = 0; word < kWordsPerRound; ++word) {
        s0 = Cpu::Step64(s0, LoadLE64(words));
        s1 = Cpu::Step64(s1, LoadLE64(words + kStreamBytes));
        s2 = Cpu::Step64(s2, LoadLE64(words + 2 * kStreamBytes));
        words += 8;
      }
    }

    v3 = Cpu::Xor(v3, Cpu::FoldVector(v0, Cpu::Factors(kFoldBy<384>)));
    v2 = Cpu::Xor(Cpu::FoldVector(v1, Cpu::Factors(kFoldBy<256>)),
                  Cpu::FoldVector(v2, Cpu::Factors(kFoldBy<128>)));
    v3 = Cpu::Xor(v3, v2);
    uint32_t folded = Cpu::Step64(0, Cpu::LowHalf(v3));
    folded = Cpu::Step64(folded, Cpu::HighHalf(v3));

    constexpr uint64_t kStreamBits = 8 * kStreamBytes;
    const uint64_t sum = Cpu::Multiply32(folded, kShiftBy<3 * kStreamBits>) ^
                         Cpu::Multiply32(s0, kShiftBy<2 * kStreamBits>) ^
                         Cpu::Multiply32(s1, kShiftBy<kStreamBits>);
    return Cpu::Step64(0, sum) ^ s2;
  }
};

}  // namespace tfr::crc32c

#endif  // TFR_CORE_CRC32C_FUSED_BLOCK_H_
