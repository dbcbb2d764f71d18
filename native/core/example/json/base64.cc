#include "core/example/json/base64.h"

#include <array>
#include <cstddef>

namespace tfr {
namespace {

constexpr uint8_t kNone = 0xff;

constexpr std::array<uint8_t, 256> Digits() {
  std::array<uint8_t, 256> digits{};
  for (uint8_t& digit : digits) digit = kNone;
  constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (uint8_t i = 0; i < 64; ++i) {
    digits[static_cast<uint8_t>(kAlphabet[i])] = i;
  }
  return digits;
}

constexpr std::array<uint8_t, 256> kDigits = Digits();

}  // namespace

bool AddBase64Bytes(Span text, std::vector<uint8_t>* bytes) {
  if (text.size % 4 != 0) return false;
  if (text.size == 0) return true;
  const size_t padding = text.end()[-1] != '='   ? 0
                         : text.end()[-2] != '=' ? 1
                                                 : 2;
  const size_t size = text.size / 4 * 3;
  const size_t begin = bytes->size();
  bytes->resize(begin + size);
  uint8_t* to = bytes->data() + begin;
  for (size_t i = 0; i < text.size; i += 4, to += 3) {
    const size_t missing = i + 4 == text.size ? padding : 0;
    uint32_t bits = 0;
    for (size_t k = 0; k < 4; ++k) {
      const uint8_t digit =
          k + missing >= 4 ? uint8_t{0} : kDigits[text.data[i + k]];
      if (digit == kNone) return false;
      bits = bits << 6 | digit;
    }
    if ((missing == 1 && (bits & 0xff) != 0) ||
        (missing == 2 && (bits & 0xffff) != 0)) {
      return false;
    }
    to[0] = static_cast<uint8_t>(bits >> 16);
    to[1] = static_cast<uint8_t>(bits >> 8);
    to[2] = static_cast<uint8_t>(bits);
  }
  bytes->resize(begin + size - padding);
  return true;
}

}  // namespace tfr
