#ifndef TFR_CORE_CODEC_BLOCK_HEADER_H_
#define TFR_CORE_CODEC_BLOCK_HEADER_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// Bits of a DEFLATE stream, the lowest of each byte first.
struct DeflateBits {
  uint64_t held = 0;
  int held_size = 0;
  const uint8_t* next = nullptr;
  const uint8_t* end = nullptr;

  /// True if there are `size` bits (at most 32).
  bool Have(int size);
  /// Of bits that are there.
  uint32_t Take(int size);
};

/// A set of Huffman codes (RFC 1951, section 3.2.2), given by the length of
/// each symbol's code, 0 to 15; 0: no code.
class HuffmanCodes {
 public:
  enum class Shape : uint8_t { kNone, kOneBit, kWhole, kWrong };
  static constexpr int kNoSymbol = -1;
  static constexpr int kNoBits = -2;

  /// Returns kNone without codes, kOneBit for one code of one bit, kWhole when
  /// each sequence of bits starts with one code, kWrong else.
  static Shape ShapeOf(const uint8_t* lengths, int size);

  /// Of a shape that is not wrong.
  void Set(const uint8_t* lengths, int size);

  /// Takes the next code. Returns its symbol, kNoSymbol when the bits start no
  /// code, kNoBits when they end within a code.
  int Next(DeflateBits* bits) const;

 private:
  int longest_ = 1;
  int count_[16] = {};
  uint16_t symbols_[288] = {};
};

/// The header of a DEFLATE block.
struct BlockHeader {
  enum class Status : uint8_t { kMore, kWhole, kBad };

  /// Reads a header from its first bit on; kBad for what zlib refuses, as soon
  /// as the bits tell. With kMore, begin again when there are more bits.
  Status Parse(DeflateBits* bits);

  /// No block follows.
  bool last = false;
  /// True if literals follow as they are; false if they are coded.
  bool stored = false;
  /// The lengths of the codes of literals, and behind them of distances.
  int literal_count = 0;
  int distance_count = 0;
  uint8_t lengths[288 + 32] = {};

 private:
  Status ParseStored(DeflateBits* bits);
  void SetFixed();
  Status ParseDynamic(DeflateBits* bits);
};

/// No header has more bytes, even one that begins with the last bit of a byte.
inline constexpr size_t kMostBlockHeader = 328;

}  // namespace tfr

#endif  // TFR_CORE_CODEC_BLOCK_HEADER_H_
