// Numbers in fields of CSV: their kinds, their values, rounded once, and
// whether float32 changes them.

#include "core/example/csv/csv_number.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "test/example/exact_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

CsvLiteral LiteralOf(const std::string& text) {
  return CsvLiteralOf(Exact(text).span());
}

bool ParseFloat(const std::string& text, CsvFloat* result) {
  return ParseCsvFloat(Exact(text).span(), result);
}

bool IsRounded(const std::string& text) {
  CsvFloat result;
  REQUIRE(ParseFloat(text, &result));
  return result.rounded;
}

TEST(Kinds) {
  for (const char* text : {"0", "1", "-1", "999999999999999999",
                           "9223372036854775807", "-9223372036854775808"}) {
    CHECK(LiteralOf(text) == CsvLiteral::kInt64);
  }
  for (const char* text :
       {"1.", ".5", "-.5", "0.0", "1e5", "1E-5", "0e9999999999", "1e-400",
        "3.4028235e38", "NaN", "nan", "-inf", "Infinity", "-0.0",
        "340282346638528859811704183484516925440.0"}) {
    CHECK(LiteralOf(text) == CsvLiteral::kFloat);
  }
  for (const char* text : {"",
                           "-",
                           ".",
                           "-0",
                           "007",
                           "+1",
                           " 1",
                           "1 ",
                           "1e",
                           "1e+",
                           "e5",
                           "01.5",
                           "0x10",
                           "1e41",
                           "1e99999999999999999999",
                           "9223372036854775808",
                           "-9223372036854775809",
                           "10000000000000000000",
                           "NAN",
                           "infinity"}) {
    CHECK(LiteralOf(text) == CsvLiteral::kBytes);
  }
  CHECK(LiteralOf("0." + std::string(398, '1')) == CsvLiteral::kFloat);
  CHECK(LiteralOf("0." + std::string(399, '1')) == CsvLiteral::kBytes);
  CHECK(LiteralOf("1e39") == CsvLiteral::kUnsure);
}

TEST(Integers) {
  for (const char* text : {"0", "-0", "007", "9223372036854775807",
                           "-9223372036854775808", "123"}) {
    int64_t value = 1;
    CHECK(ParseCsvInt64(Exact(text).span(), &value));
    CHECK_EQ(value, static_cast<int64_t>(std::strtoll(text, nullptr, 10)));
  }
  for (const char* text : {"", "-", "+1", " 1", "1.0", "9223372036854775808",
                           "-9223372036854775809", "99999999999999999999",
                           "00000000000000000001"}) {
    int64_t value = 0;
    CHECK(!ParseCsvInt64(Exact(text).span(), &value));
  }
}

TEST(RandomDecimalsAreRoundedOnce) {
  std::mt19937_64 random(1);
  int left = 0;
  char text[64];
  for (int i = 0; i < 1000000; ++i) {
    const uint64_t bits = random();
    if (i % 3 == 0) {
      // A middle between two floats, or a number close to it.
      const auto low = static_cast<uint32_t>(bits);
      float value = 0;
      std::memcpy(&value, &low, sizeof(value));
      if (!(value > 1e-30F && value < 1e30F)) continue;
      const double middle = value * (1 + 0x1p-24);
      std::snprintf(text, sizeof(text), "%.*g", static_cast<int>(9 + bits % 9),
                    middle);
    } else {
      std::snprintf(text, sizeof(text), "%s%llu.%0*llu",
                    (bits >> 63U) != 0 ? "-" : "",
                    static_cast<unsigned long long>(bits >> 40U & 0xfffff),
                    static_cast<int>(1 + bits % 9),
                    static_cast<unsigned long long>(bits >> 8U & 0xffff));
    }
    CsvFloat result;
    if (!ParseFloat(text, &result)) {
      ++left;
      continue;
    }
    const float expected = std::strtof(text, nullptr);
    if (std::memcmp(&expected, &result.value, sizeof(expected)) != 0) {
      std::fprintf(stderr, "%s: %a\n", text, result.value);
      CHECK(false);
    }
  }
  CHECK(left < 1000);
}

TEST(AnInexactMiddleIsLeftToJavaScript) {
  CsvFloat result;
  // Both have the double of the middle between 1 and the float after it.
  CHECK(!ParseFloat("1.00000005960464478", &result));
  CHECK(!ParseFloat("1.0000000596046448", &result));
  CHECK(ParseFloat("16777217", &result));
  CHECK_EQ(result.value, 16777216.0F);
  CHECK(result.rounded);
}

TEST(Rounding) {
  for (const char* text :
       {"0", "-0.0", "0.1", "0.10000000", "1.5", "100000", "16777216",
        "0.123456", "3.1415927", "-3.1415927", "1e10", "12345679000", "NaN"}) {
    CHECK(!IsRounded(text));
  }
  for (const char* text :
       {"0.123456789", "3.1415926", "16777217", "3.14159265358979",
        "0.10000000149011612", "12345678901", "1.00000000000000000000001"}) {
    CHECK(IsRounded(text));
  }
  CsvFloat result;
  for (const char* text : {"1e-39", "1e-400", "3.4028235e38", "1e39", "+1",
                           " 1", "0x1p3", "INF", "1.5.5", "", "-", "."}) {
    CHECK(!ParseFloat(text, &result));
  }
}

}  // namespace
}  // namespace tfr::test
