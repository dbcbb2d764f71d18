#include "core/example/print/float_text.h"

#include <charconv>
#include <cstring>
#include <string_view>

namespace tfr {

namespace {

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kLargest = 0x7f7fffff;
constexpr uint32_t kFraction = 0x007fffff;
constexpr uint32_t kHidden = 0x00800000;
/// Neighbours. The double that is nearest to 7.038531e-26 lies halfway between
/// them, though the decimal does not, so readers who take doubles first find
/// the even one. There is no other such decimal among the shortest ones.
constexpr uint32_t kBelowHalfway = 0x15ae43fd;
constexpr uint32_t kAboveHalfway = 0x15ae43fe;
/// Number of digits that suffice for every float32.
constexpr int kMostDigits = 9;

// ---- powers of ten

/// 10^k, rounded down to `digits * 2^exponent`; `digits` has its top bit set.
/// Exact for k from 0 to 27.
struct Power {
  uint64_t digits = 0;
  int exponent = 0;
};

/// Scaling by these turns every float32 into an integer of nine digits with a
/// fraction.
constexpr int kSmallestPower = -30;
constexpr int kLargestPower = 53;

/// An integer of 192 bits, the lowest limb first.
struct Wide {
  static constexpr int kLimbs = 6;
  uint32_t limbs[kLimbs] = {};
};

constexpr Power TopOf(const Wide& wide) {
  int bit = 32 * Wide::kLimbs - 1;
  while ((wide.limbs[bit / 32] >> (bit % 32) & 1) == 0) --bit;
  Power top;
  top.exponent = bit - 63;
  for (int i = bit; i > bit - 64; --i) {
    const uint32_t one = i < 0 ? 0 : wide.limbs[i / 32] >> (i % 32) & 1;
    top.digits = top.digits << 1 | one;
  }
  return top;
}

constexpr Power PowerOfTen(int k) {
  Wide wide;
  if (k >= 0) {
    wide.limbs[0] = 1;
    for (int i = 0; i < k; ++i) {
      uint64_t carry = 0;
      for (uint32_t& limb : wide.limbs) {
        carry += uint64_t{limb} * 10;
        limb = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
    }
    return TopOf(wide);
  }
  wide.limbs[Wide::kLimbs - 1] = kSign;
  for (int i = 0; i > k; --i) {
    uint64_t rest = 0;
    for (int limb = Wide::kLimbs - 1; limb >= 0; --limb) {
      rest = rest << 32 | wide.limbs[limb];
      wide.limbs[limb] = static_cast<uint32_t>(rest / 10);
      rest %= 10;
    }
  }
  Power power = TopOf(wide);
  power.exponent -= 32 * Wide::kLimbs - 1;
  return power;
}

struct Powers {
  Power of[kLargestPower - kSmallestPower + 1];
};

constexpr Powers AllPowers() {
  Powers powers = {};
  for (int k = kSmallestPower; k <= kLargestPower; ++k) {
    powers.of[k - kSmallestPower] = PowerOfTen(k);
  }
  return powers;
}

constexpr Powers kPowers = AllPowers();

// ---- the shortest decimal

/// Scaled numbers are integers of nine digits, then bits after the point.
constexpr int kPoint = 34;
constexpr uint64_t kTenDigits = 1'000'000'000;
/// Scaling is off by less than this. No float32 is so near to a boundary
/// without being on it: all of them were compared with TypeScript's texts.
constexpr uint64_t kSlack = 4;
constexpr int kSmallestExponent = -149;

/// A positive float32, `mantissa * 2^exponent`.
struct Binary {
  uint32_t mantissa;
  int exponent;
};

/// `digits * 10^exponent`.
struct Decimal {
  uint32_t digits;
  int exponent;
};

/// A number times a power of ten, and half the distances to the next larger
/// and the next smaller float32.
struct Scaled {
  uint64_t number;
  uint64_t above;
  uint64_t below;
};

/// `value.mantissa` was shifted left by `shift`, to have 24 bits.
Scaled ScaledBy(int power, Binary value, int shift) {
  const auto [digits, exponent] = kPowers.of[power - kSmallestPower];
  // Drops 22 to 28 bits of a product of 88.
  const int drop = -(value.exponent + exponent) - kPoint;
  const uint64_t high = value.mantissa * (digits >> 32);
  const uint64_t low = value.mantissa * (digits & 0xffffffff);
  const uint64_t above = digits >> (drop + 1 - shift);
  const bool lopsided =
      value.mantissa == kHidden && value.exponent > kSmallestExponent;
  return {(high << (32 - drop)) + (low >> drop), above,
          lopsided ? above / 2 : above};
}

/// Returns an integer that is at most log10(2^exponent), and at least that
/// minus 1.
constexpr int DecimalExponent(int exponent) { return exponent * 78913 >> 18; }

/// Rounds to multiples of `unit`, halves up. Returns false if the result is
/// another float32.
bool Round(const Scaled& scaled, uint32_t unit, bool even, uint32_t* rounded) {
  const auto whole = static_cast<uint32_t>(scaled.number >> kPoint);
  const uint32_t lower = whole / unit * unit;
  const uint64_t rest = scaled.number - (uint64_t{lower} << kPoint);
  const uint64_t step = uint64_t{unit} << kPoint;
  const bool up = rest + kSlack >= step / 2;
  *rounded = up ? lower + unit : lower;
  if (unit == 1) return true;
  const uint64_t distance = up ? step - rest : rest;
  const uint64_t gap = up ? scaled.above : scaled.below;
  // Halfway between two float32, the one with the even mantissa counts.
  return even ? distance <= gap + kSlack : distance + kSlack < gap;
}

/// Returns the decimal of `shortestFloat32` in lib/tensor/json.ts: of the
/// smallest number of digits, from `fewest` on, whose nearest decimal restores
/// `value`, that decimal.
Decimal ShortestDecimal(Binary value, uint32_t largest_unit) {
  const bool even = value.mantissa % 2 == 0;
  int shift = 0;
  for (; value.mantissa < kHidden; ++shift) {
    value.mantissa *= 2;
    --value.exponent;
  }
  int power = kMostDigits - 1 - DecimalExponent(value.exponent + 24);
  Scaled scaled = ScaledBy(power, value, shift);
  if (scaled.number < (kTenDigits / 10 << kPoint)) {
    scaled = ScaledBy(++power, value, shift);
  }
  uint32_t rounded = 0;
  for (uint32_t unit = largest_unit;; unit /= 10) {
    if (Round(scaled, unit, even, &rounded)) return {rounded, -power};
  }
}

// ---- JavaScript's form of numbers

uint8_t* PutWord(uint8_t* to, std::string_view word) {
  std::memcpy(to, word.data(), word.size());
  return to + word.size();
}

uint8_t* PutInteger(uint8_t* to, uint32_t value) {
  char* const text = reinterpret_cast<char*>(to);
  return to + (std::to_chars(text, text + 10, value).ptr - text);
}

/// Numbers from 1e-6 up to 1e21 have no exponent.
constexpr int kLeastPlain = -6;
constexpr int kMostPlain = 20;

uint8_t* PutDecimal(uint8_t* to, Decimal value) {
  while (value.digits % 10 == 0) {
    value.digits /= 10;
    ++value.exponent;
  }
  uint8_t text[10];
  const int count = static_cast<int>(PutInteger(text, value.digits) - text);
  // The power of ten of the first digit.
  const int exponent = value.exponent + count - 1;
  const auto put = [&to, &text](int from, int end) {
    for (int i = from; i < end; ++i) *to++ = text[i];
  };
  const auto zeros = [&to](int number) {
    for (; number > 0; --number) *to++ = '0';
  };
  if (exponent < kLeastPlain || exponent > kMostPlain) {
    put(0, 1);
    if (count > 1) *to++ = '.';
    put(1, count);
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    return PutInteger(
        to, static_cast<uint32_t>(exponent < 0 ? -exponent : exponent));
  }
  if (exponent < 0) {
    to = PutWord(to, "0.");
    zeros(-exponent - 1);
    put(0, count);
    return to;
  }
  const int whole = exponent + 1;
  put(0, whole < count ? whole : count);
  zeros(whole - count);
  *to++ = '.';
  put(whole, count);
  zeros(count <= whole ? 1 : 0);
  return to;
}

}  // namespace

uint8_t* PutFloat32(uint8_t* to, uint32_t bits) {
  if ((bits & kInfinity) == kInfinity) {
    if ((bits & kFraction) != 0) return PutWord(to, "\"NaN\"");
    return PutWord(to, bits == kInfinity ? "\"Infinity\"" : "\"-Infinity\"");
  }
  if ((bits & kSign) != 0) *to++ = '-';
  bits &= ~kSign;
  if (bits == 0) return PutWord(to, "0.0");
  // Its shortest form is larger than a float32.
  if (bits == kLargest) return PutWord(to, "3.4028234663852886e+38");
  if (bits == kBelowHalfway) return PutWord(to, "7.0385307e-26");
  if (bits == kAboveHalfway) return PutWord(to, "7.038531e-26");
  const bool normal = bits >= kHidden;
  const Binary value = {
      normal ? (bits & kFraction) | kHidden : bits,
      normal ? static_cast<int>(bits >> 23) - 150 : kSmallestExponent};
  // An integer below 2^24 is its own shortest form.
  if (value.exponent <= 0 && value.exponent > -24 &&
      (value.mantissa & ((1u << -value.exponent) - 1)) == 0) {
    return PutWord(PutInteger(to, value.mantissa >> -value.exponent), ".0");
  }
  // Six digits survive the way to a normal float32 and back, so shorter forms
  // are among those of six digits.
  return PutDecimal(to, ShortestDecimal(value, normal ? 1000 : 100'000'000));
}

}  // namespace tfr
