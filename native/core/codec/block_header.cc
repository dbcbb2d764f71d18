#include "core/codec/block_header.h"

#include <algorithm>
#include <iterator>

namespace tfr {
namespace {

constexpr int kLongest = 15;
constexpr int kMostLiterals = 286;
constexpr int kMostDistances = 30;
constexpr int kEndOfBlock = 256;
constexpr int kLengthCodes = 19;

/// The codes of code lengths, found by their bits.
class LengthCodes {
 public:
  /// `lengths` are those of whole codes, or all 0: then, as in zlib, any bit
  /// is the code of symbol 0.
  explicit LengthCodes(const uint8_t* lengths) {
    std::fill(std::begin(entries_), std::end(entries_), Entry{0, 1});
    uint32_t code = 0;
    for (uint8_t length = 1; length <= kBits; ++length, code <<= 1) {
      for (uint8_t symbol = 0; symbol < kLengthCodes; ++symbol) {
        if (lengths[symbol] != length) continue;
        uint32_t reversed = 0;
        for (int i = 0; i < length; ++i) {
          reversed |= (code >> i & 1) << (length - 1 - i);
        }
        for (; reversed < 1 << kBits; reversed += 1u << length) {
          entries_[reversed] = {symbol, length};
        }
        ++code;
      }
    }
  }

  /// As `HuffmanCodes::Next`.
  int Next(DeflateBits* bits) const {
    uint64_t ahead = bits->held;
    if (bits->held_size < kBits && bits->next < bits->end) {
      ahead |= uint64_t{*bits->next} << bits->held_size;
    }
    const Entry entry = entries_[ahead % (1 << kBits)];
    if (!bits->Have(entry.length)) return HuffmanCodes::kNoBits;
    bits->Take(entry.length);
    return entry.symbol;
  }

 private:
  static constexpr int kBits = 7;
  struct Entry {
    uint8_t symbol;
    uint8_t length;
  };
  Entry entries_[1 << kBits];
};

}  // namespace

bool DeflateBits::Have(int size) {
  while (held_size < size) {
    if (next == end) return false;
    held |= uint64_t{*next++} << held_size;
    held_size += 8;
  }
  return true;
}

uint32_t DeflateBits::Take(int size) {
  const auto value = static_cast<uint32_t>(held & ((uint64_t{1} << size) - 1));
  held >>= size;
  held_size -= size;
  return value;
}

HuffmanCodes::Shape HuffmanCodes::ShapeOf(const uint8_t* lengths, int size) {
  int count[kLongest + 1] = {};
  for (int i = 0; i < size; ++i) ++count[lengths[i]];
  if (count[0] == size) return Shape::kNone;
  // Sequences of `length` bits that start with no code.
  int left = 1;
  for (int length = 1; length <= kLongest; ++length) {
    left = 2 * left - count[length];
    if (left < 0) return Shape::kWrong;
  }
  if (left == 0) return Shape::kWhole;
  return count[0] == size - 1 && count[1] == 1 ? Shape::kOneBit : Shape::kWrong;
}

void HuffmanCodes::Set(const uint8_t* lengths, int size) {
  std::fill(std::begin(count_), std::end(count_), 0);
  for (int i = 0; i < size; ++i) ++count_[lengths[i]];
  count_[0] = 0;
  longest_ = 1;
  int first[kLongest + 1] = {};
  for (int length = 1; length <= kLongest; ++length) {
    if (count_[length] > 0) longest_ = length;
    first[length] = first[length - 1] + count_[length - 1];
  }
  for (int i = 0; i < size; ++i) {
    if (lengths[i] > 0) {
      symbols_[first[lengths[i]]++] = static_cast<uint16_t>(i);
    }
  }
}

int HuffmanCodes::Next(DeflateBits* bits) const {
  uint64_t ahead = bits->held;
  int size = bits->held_size;
  for (const uint8_t* p = bits->next; size < longest_ && p < bits->end; ++p) {
    ahead |= uint64_t{*p} << size;
    size += 8;
  }
  // The code so far, less the first code of its length.
  int code = 0;
  int first_symbol = 0;
  for (int length = 1; length <= longest_; ++length, ahead >>= 1) {
    if (length > size) return kNoBits;
    code += static_cast<int>(ahead & 1);
    const int count = count_[length];
    if (code < count) {
      bits->Have(length);
      bits->Take(length);
      return symbols_[first_symbol + code];
    }
    first_symbol += count;
    code = 2 * (code - count);
  }
  bits->Have(longest_);
  return kNoSymbol;
}

BlockHeader::Status BlockHeader::Parse(DeflateBits* bits) {
  if (!bits->Have(3)) return Status::kMore;
  last = bits->Take(1) != 0;
  const uint32_t type = bits->Take(2);
  stored = type == 0;
  switch (type) {
    case 0:
      return ParseStored(bits);
    case 1:
      SetFixed();
      return Status::kWhole;
    case 2:
      return ParseDynamic(bits);
    default:
      return Status::kBad;
  }
}

BlockHeader::Status BlockHeader::ParseStored(DeflateBits* bits) {
  bits->Take(bits->held_size % 8);
  if (!bits->Have(32)) return Status::kMore;
  const uint32_t size = bits->Take(16);
  return bits->Take(16) == (size ^ 0xffff) ? Status::kWhole : Status::kBad;
}

void BlockHeader::SetFixed() {
  literal_count = 288;
  distance_count = 32;
  std::fill(lengths, lengths + 144, uint8_t{8});
  std::fill(lengths + 144, lengths + 256, uint8_t{9});
  std::fill(lengths + 256, lengths + 280, uint8_t{7});
  std::fill(lengths + 280, lengths + 288, uint8_t{8});
  std::fill(lengths + 288, std::end(lengths), uint8_t{5});
}

BlockHeader::Status BlockHeader::ParseDynamic(DeflateBits* bits) {
  if (!bits->Have(14)) return Status::kMore;
  literal_count = 257 + static_cast<int>(bits->Take(5));
  distance_count = 1 + static_cast<int>(bits->Take(5));
  const uint32_t length_count = 4 + bits->Take(4);
  if (literal_count > kMostLiterals || distance_count > kMostDistances) {
    return Status::kBad;
  }
  static constexpr uint8_t kOrder[kLengthCodes] = {
      16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint8_t code_lengths[kLengthCodes] = {};
  for (uint32_t i = 0; i < length_count; ++i) {
    if (!bits->Have(3)) return Status::kMore;
    code_lengths[kOrder[i]] = static_cast<uint8_t>(bits->Take(3));
  }
  using Shape = HuffmanCodes::Shape;
  const Shape shape = HuffmanCodes::ShapeOf(code_lengths, kLengthCodes);
  if (shape != Shape::kWhole && shape != Shape::kNone) return Status::kBad;

  const LengthCodes codes(code_lengths);
  const int all = literal_count + distance_count;
  for (int i = 0; i < all;) {
    const int symbol = codes.Next(bits);
    if (symbol == HuffmanCodes::kNoBits) return Status::kMore;
    if (symbol < 16) {
      lengths[i++] = static_cast<uint8_t>(symbol);
      continue;
    }
    const int extra = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    if (!bits->Have(extra)) return Status::kMore;
    if (symbol == 16 && i == 0) return Status::kBad;
    const int copies =
        (symbol == 18 ? 11 : 3) + static_cast<int>(bits->Take(extra));
    if (i + copies > all) return Status::kBad;
    std::fill_n(lengths + i, copies,
                symbol == 16 ? lengths[i - 1] : uint8_t{0});
    i += copies;
  }
  const bool right =
      lengths[kEndOfBlock] > 0 &&
      HuffmanCodes::ShapeOf(lengths, literal_count) != Shape::kWrong &&
      HuffmanCodes::ShapeOf(lengths + literal_count, distance_count) !=
          Shape::kWrong;
  return right ? Status::kWhole : Status::kBad;
}

}  // namespace tfr
