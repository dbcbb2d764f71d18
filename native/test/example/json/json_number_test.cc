// Numbers of JSON: which form they have, and that their rounding is that of
// two correct steps, to a double and then to float32.

#include "core/example/json/json_number.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "test/support/check.h"

namespace tfr::test {
namespace {

using Form = JsonNumber::Form;

/// Parses `text`, which must be one number.
JsonNumber Parse(const std::string& text) {
  const auto* const data = reinterpret_cast<const uint8_t*>(text.data());
  JsonNumber number;
  const uint8_t* const end = ParseJsonNumber(data, data + text.size(), &number);
  if (end != data + text.size()) std::fprintf(stderr, "%s\n", text.c_str());
  CHECK(end == data + text.size());
  return number;
}

/// The number of characters of a number at the start of `text`; -1 if none.
std::ptrdiff_t Size(const std::string& text) {
  const auto* const data = reinterpret_cast<const uint8_t*>(text.data());
  JsonNumber number;
  const uint8_t* const end = ParseJsonNumber(data, data + text.size(), &number);
  return end == nullptr ? -1 : end - data;
}

bool SameBits(float a, float b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

/// False if the parser leaves `text` to JavaScript.
bool CheckFloat(const std::string& text) {
  const JsonNumber number = Parse(text);
  const double exact = std::strtod(text.c_str(), nullptr);
  const auto expected = static_cast<float>(exact);
  if (number.form == Form::kOther) return false;
  const bool same =
      number.form == Form::kFloat && SameBits(number.real, expected);
  if (!same) std::fprintf(stderr, "%s: %a\n", text.c_str(), number.real);
  CHECK(same);
  return true;
}

TEST(Integers) {
  for (const char* text :
       {"0", "1", "-1", "10", "9223372036854775807", "-9223372036854775808"}) {
    const JsonNumber number = Parse(text);
    CHECK(number.form == Form::kInt64);
    CHECK_EQ(number.integer, std::strtoll(text, nullptr, 10));
  }
  for (const char* text : {"9223372036854775808", "-9223372036854775809",
                           "18446744073709551616", "10000000000000000000"}) {
    CHECK(Parse(text).form == Form::kOther);
  }
}

TEST(Grammar) {
  for (const char* text : {"-", "1.", "-.5", "1e", "1e+", "1.e3", "--1"}) {
    CHECK_EQ(Size(text), -1);
  }
  CHECK_EQ(Size("01"), 1);
  CHECK_EQ(Size("1.5.2"), 3);
  CHECK_EQ(Size("-0x1"), 2);
}

TEST(Floats) {
  for (const char* text :
       {"-0",
        "0.0",
        "-0.0",
        "1e2",
        "1E+2",
        "0.1",
        "3.4028235e38",
        "1e-45",
        "7.1e-46",
        "6.9e-46",
        "1e-60",
        "1e-400",
        "-1e-99999999999",
        "0e99999999999",
        "16777217.0",
        "16777219.0",
        "1.0000001788139",
        "340282346638528859811704183484516925440.0",
        "123456789012345678901e-5",
        "0.000000000000000000000000000000000000000000001401298464324817"}) {
    CHECK(CheckFloat(text));
  }
  CHECK(std::signbit(Parse("-0").real));
  CHECK(std::signbit(Parse("-1e-400").real));
  for (const char* text : {"3.4028236e38", "-1e39", "1e400", "1e99999999999"}) {
    CHECK(Parse(text).form == Form::kOther);
  }
}

TEST(AnExponentEndsAsManyZeros) {
  const std::string zeros(1048600, '0');
  CHECK_EQ(Parse("0." + zeros + "1e1048601").real, 1.0F);
  CHECK_EQ(Parse("1" + zeros + "e-1048600").real, 1.0F);
  CHECK(Parse("1" + zeros + "e-99999999999999999999").form == Form::kFloat);
  CHECK(Parse("0." + zeros + "1e99999999999999999999").form == Form::kOther);
}

TEST(TheMiddleBetweenTwoFloatsIsLeftToJavaScript) {
  // 1 + 2^-24, one digit more than 64 bits hold, and its neighbours.
  CHECK(!CheckFloat("1.000000059604644775390625"));
  CHECK(CheckFloat("1.000000059604"));
  CHECK(CheckFloat("1.000000059606"));
}

TEST(RandomDecimals) {
  std::mt19937_64 random(1);
  int left = 0;
  char text[64];
  for (int i = 0; i < 1000000; ++i) {
    const uint64_t bits = random();
    if (i % 2 == 0) {
      const auto bits32 = static_cast<uint32_t>(bits);
      float value = 0;
      std::memcpy(&value, &bits32, sizeof(value));
      if (!std::isfinite(value)) continue;
      // Shortest, long, and doubles near floats.
      std::snprintf(text, sizeof text, "%.*e", i % 3 == 0 ? 8 : i % 20,
                    static_cast<double>(value));
    } else {
      std::snprintf(text, sizeof text, "%llu.%llue%d",
                    static_cast<unsigned long long>(bits >> (bits % 64)),
                    static_cast<unsigned long long>(random() >> (bits % 61)),
                    static_cast<int>(bits % 90) - 60);
    }
    if (!(std::fabs(std::strtod(text, nullptr)) < 3.4e38)) continue;
    if (!CheckFloat(text)) ++left;
  }
  CHECK(left < 10);
}

}  // namespace
}  // namespace tfr::test
