// Texts of floats. TypeScript's printer, which is the rule, is compared in
// test/unit/convert.

#include "core/example/print/float_text.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "test/support/check.h"

namespace tfr::test {
namespace {

std::string TextOf(uint32_t bits) {
  uint8_t text[kLongestFloatText];
  const uint8_t* const end = PutFloat32(text, bits);
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(end - text)};
}

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

std::string Text(float value) { return TextOf(BitsOf(value)); }

TEST(WordsAndSigns) {
  CHECK_EQ(Text(std::numeric_limits<float>::quiet_NaN()), "\"NaN\"");
  CHECK_EQ(TextOf(0xffc00001), "\"NaN\"");
  CHECK_EQ(Text(INFINITY), "\"Infinity\"");
  CHECK_EQ(Text(-INFINITY), "\"-Infinity\"");
  CHECK_EQ(Text(0.0F), "0.0");
  CHECK_EQ(Text(-0.0F), "-0.0");
  CHECK_EQ(Text(-1.5F), "-1.5");
}

TEST(PointsAndExponents) {
  CHECK_EQ(Text(1.0F), "1.0");
  CHECK_EQ(Text(0.1F), "0.1");
  CHECK_EQ(Text(100.25F), "100.25");
  CHECK_EQ(Text(16777215.0F), "16777215.0");
  CHECK_EQ(Text(1e6F), "1000000.0");
  CHECK_EQ(Text(1.5e9F), "1500000000.0");
  CHECK_EQ(Text(1e20F), "100000000000000000000.0");
  CHECK_EQ(Text(1e21F), "1e+21");
  CHECK_EQ(Text(1.25e21F), "1.25e+21");
  CHECK_EQ(Text(1e-6F), "0.000001");
  CHECK_EQ(Text(1.5e-6F), "0.0000015");
  CHECK_EQ(Text(1e-7F), "1e-7");
  CHECK_EQ(Text(1.5e-7F), "1.5e-7");
}

TEST(TheLargestAndTheSmallest) {
  CHECK_EQ(TextOf(0x7f7fffff), "3.4028234663852886e+38");
  CHECK_EQ(TextOf(0xff7fffff), "-3.4028234663852886e+38");
  CHECK_EQ(TextOf(0x7f7ffffe), "3.4028233e+38");
  CHECK_EQ(TextOf(1), "1e-45");
  CHECK_EQ(TextOf(2), "3e-45");
  CHECK_EQ(TextOf(0x007fffff), "1.1754942e-38");
  CHECK_EQ(TextOf(0x00800000), "1.1754944e-38");
}

/// The exact numbers end with a 5, which is one digit too many.
TEST(EqualDistancesTakeTheLargerDecimal) {
  CHECK_EQ(Text(1.00390625F), "1.0039063");
  CHECK_EQ(Text(16.0703125F), "16.070313");
  CHECK_EQ(Text(131072.125F), "131072.13");
  CHECK_EQ(Text(2097160.25F), "2097160.3");
}

/// As doubles, and then as floats, these texts restore their floats.
TEST(ADecimalWhoseDoubleIsHalfway) {
  CHECK_EQ(TextOf(0x15ae43fd), "7.0385307e-26");
  CHECK_EQ(TextOf(0x15ae43fe), "7.038531e-26");
  CHECK_EQ(BitsOf(static_cast<float>(7.038531e-26)), 0x15ae43feu);
}

/// strtof rounds correctly, so each text restores its float.
TEST(TextsRestoreTheirFloats) {
  const size_t step = 4099 * LoopStep();
  long wrong = 0;
  for (uint64_t bits = 1; bits < 0x7f800000; bits += step) {
    const std::string text = TextOf(static_cast<uint32_t>(bits));
    if (BitsOf(std::strtof(text.c_str(), nullptr)) != bits) ++wrong;
    if (text.size() > kLongestFloatText - 1) ++wrong;
  }
  CHECK_EQ(wrong, 0);
}

/// A power of two has nearer neighbours below than above.
TEST(PowersOfTwoRestoreThemselves) {
  for (uint32_t exponent = 1; exponent < 255; ++exponent) {
    for (const uint32_t bits : {exponent << 23, (exponent << 23) - 1}) {
      const std::string text = TextOf(bits);
      CHECK_EQ(BitsOf(std::strtof(text.c_str(), nullptr)), bits);
    }
  }
}

}  // namespace
}  // namespace tfr::test
