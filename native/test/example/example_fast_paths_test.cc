// The parser's fast paths: packed varints and entries with the expected keys,
// cut at every position; features of one value; and the end of each run.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/example/parse/plan/key_order.h"
#include "core/example/parse/scalars.h"
#include "core/example/wire/varints.h"
#include "test/example/exact_bytes.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

/// A fixed pseudo-random sequence.
class Numbers {
 public:
  uint64_t Next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 11;
  }
  uint64_t Below(uint64_t bound) { return Next() % bound; }

 private:
  uint64_t state_ = 1;
};

/// Random values of `width` bits; of any width for 0.
std::vector<uint64_t> ListOf(Numbers* numbers, unsigned width, size_t size) {
  std::vector<uint64_t> list;
  for (size_t i = 0; i < size; ++i) {
    const uint64_t bits = width == 0 ? 1 + numbers->Below(64) : width;
    const uint64_t value = uint64_t{1} << (bits - 1);
    list.push_back(value | numbers->Below(value));
  }
  return list;
}

TEST(PackedListsAtEveryCut) {
  Numbers numbers;
  for (unsigned width = 0; width <= 64; ++width) {
    for (size_t size : {0, 1, 2, 3, 4, 5, 9, 40}) {
      const std::vector<uint64_t> list = ListOf(&numbers, width, size);
      std::string bytes;
      std::vector<size_t> ends{0};
      for (uint64_t value : list)
        ends.push_back((bytes += Varint(value)).size());
      for (size_t cut = 0; cut <= bytes.size(); ++cut) {
        for (const char* behind :
             {"", "\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff",
              "\x01\x81\x01\x81\x01\x81\x01\x81\x01", "\x01\x01\x01\x01\x01"}) {
          const Exact exact(bytes.substr(0, cut) + behind);
          std::vector<int64_t> read(list.size() + 1, -7);
          const int64_t* const end = ReadVarints(
              {exact.span().data, cut}, exact.span().end(), read.data());
          const size_t whole = static_cast<size_t>(
              std::find(ends.begin(), ends.end(), cut) - ends.begin());
          CHECK_EQ(end != nullptr, whole < ends.size());
          CHECK_EQ(read.back(), -7);
          if (end == nullptr) continue;
          REQUIRE(end == read.data() + whole);
          for (size_t i = 0; i < whole; ++i) {
            CHECK_EQ(static_cast<uint64_t>(read[i]), list[i]);
          }
        }
      }
    }
  }
}

/// Random varints of up to `most` bytes each, as many as fit in `size` bytes,
/// some with superfluous bytes. `*values` receives their values.
std::string VarintsOf(Numbers* numbers, size_t size, unsigned most,
                      std::vector<int64_t>* values) {
  std::string bytes;
  values->clear();
  for (;;) {
    const auto length = 1 + static_cast<size_t>(numbers->Below(most));
    if (bytes.size() + length > size) return bytes;
    uint64_t value = 0;
    for (size_t i = 0; i < length; ++i) {
      const auto byte = static_cast<uint8_t>(numbers->Below(0x80));
      value |= uint64_t{byte} << (7 * i);
      bytes.push_back(static_cast<char>(i + 1 < length ? byte | 0x80 : byte));
    }
    values->push_back(static_cast<int64_t>(value));
  }
}

TEST(LongPackedLists) {
  Numbers numbers;
  std::vector<int64_t> values;
  for (unsigned most = 1; most <= 10; ++most) {
    for (size_t size = 60; size < 300; ++size) {
      const std::string bytes = VarintsOf(&numbers, size, most, &values);
      const Exact exact(bytes);
      const Span span = exact.span();
      std::vector<int64_t> read(values.size() + 1, -7);
      REQUIRE(ReadVarints(span, span.end(), read.data()) ==
              read.data() + values.size());
      CHECK_EQ(read.back(), -7);
      read.pop_back();
      CHECK(read == values);
      CHECK_EQ(CountVarints(span), values.size());
    }
  }
  // Varints of two bytes each, then of one byte each.
  for (const char* each : {"\x85\x01", "\x05"}) {
    std::string bytes;
    for (size_t i = 0; i < 100; ++i) bytes += each;
    const Exact exact(bytes);
    std::vector<int64_t> read(100);
    const Span span = exact.span();
    REQUIRE(ReadVarints(span, span.end(), read.data()) == read.data() + 100);
    CHECK(read == std::vector<int64_t>(100, *each == 5 ? 5 : 0x85));
  }
}

TEST(LongPackedListsWithOneTooLong) {
  for (const char* filler : {"\x05", "\x85\x01", "\x81\x82\x83\x04"}) {
    std::string good;
    while (good.size() < 300) good += filler;
    const size_t step = std::strlen(filler);
    for (size_t longest : {10, 11, 12, 64, 70, 130}) {
      for (size_t at = 0; at < good.size(); at += step) {
        const std::string bytes = good.substr(0, at) +
                                  std::string(longest - 1, '\x81') + '\x01' +
                                  good.substr(at);
        const Exact exact(bytes);
        const Span span = exact.span();
        std::vector<int64_t> read(bytes.size());
        const int64_t* const end = ReadVarints(span, span.end(), read.data());
        CHECK_EQ(end != nullptr, longest == 10);
      }
    }
  }
  // The last varint does not end.
  const Exact open(std::string(200, '\x01') + std::string(60, '\x81'));
  std::vector<int64_t> read(300);
  CHECK(ReadVarints(open.span(), open.span().end(), read.data()) == nullptr);
}

TEST(VarintsWithSuperfluousBytes) {
  // 1 in two, three and ten bytes; eleven are malformed.
  const std::string bytes = Unhex("8100 818000 81808080808080808000 02");
  const Exact exact(bytes);
  int64_t read[4];
  CHECK_EQ(ReadVarints(exact.span(), exact.span().end(), read), read + 4);
  CHECK_EQ(read[0], 1);
  CHECK_EQ(read[1], 1);
  CHECK_EQ(read[2], 1);
  CHECK_EQ(read[3], 2);
  const Exact eleven(Unhex("05 8180808080808080808000"));
  CHECK(ReadVarints(eleven.span(), eleven.span().end(), read) == nullptr);
}

using Seen = std::vector<std::pair<int32_t, std::string>>;

/// Returns the entries that a run over `bytes` takes; `*left` is the size of
/// the rest.
Seen RunOver(KeyOrder* order, const std::string& bytes, size_t* left) {
  const Exact exact(bytes);
  const Span span = exact.span();
  Seen seen;
  const uint8_t* const behind =
      order->Run(span.data, span.end(), [&](int32_t column, Span value) {
        seen.emplace_back(
            column,
            std::string(reinterpret_cast<const char*>(value.data), value.size));
      });
  *left = static_cast<size_t>(span.end() - behind);
  return seen;
}

/// Makes `order` learn keys in this order.
void Learn(KeyOrder* order, const std::vector<std::string>& keys) {
  order->StartRecord();
  for (const std::string& key : keys) {
    const Exact exact(key);
    order->Find(exact.span());
  }
}

TEST(RunsTakeWholeEntriesWithTheExpectedKeys) {
  const KeyTable table(
      {{"a", 0}, {"", 1}, {"quite a long key", 2}, {"abcd", 3}});
  const std::vector<std::string> keys{"a", "", "nobody", "quite a long key",
                                      "abcd"};
  const std::vector<int32_t> columns{0, 1, KeyTable::kNotFound, 2, 3};
  for (size_t length : {0, 1, 90, 110, 130, 300}) {
    std::string bytes;
    std::vector<size_t> ends{0};
    for (const std::string& key : keys) {
      ends.push_back((bytes += Entry(key, std::string(length, 'v'))).size());
    }
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
      KeyOrder order(table);
      Learn(&order, keys);
      order.StartRecord();
      size_t left;
      const Seen seen = RunOver(&order, bytes.substr(0, cut), &left);
      // An entry with a two-byte length ends the run.
      size_t whole = 0;
      while (whole < keys.size() && ends[whole + 1] <= cut &&
             keys[whole].size() + length + 4 < 0x80) {
        ++whole;
      }
      CHECK_EQ(left, cut - ends[whole]);
      REQUIRE(seen.size() == whole);
      for (size_t i = 0; i < whole; ++i) {
        CHECK_EQ(seen[i].first, columns[i]);
        CHECK(seen[i].second == std::string(length, 'v'));
      }
    }
  }
}

TEST(OrderOfThousandsOfKeys) {
  std::vector<KeyTable::Entry> entries;
  std::vector<std::string> keys;
  std::string bytes;
  for (int32_t i = 0; i < 5000; ++i) {
    keys.push_back("key" + std::to_string(i));
    entries.push_back({keys.back(), i});
    bytes += Entry(keys.back(), "v");
  }
  const KeyTable table(entries);
  KeyOrder order(table);
  Learn(&order, keys);
  order.StartRecord();
  size_t left;
  const size_t learned = RunOver(&order, bytes, &left).size();
  CHECK(learned >= 4000);
  // The number of learned keys is limited; later keys are still found.
  CHECK(learned < keys.size());
  const Exact last(keys.back());
  CHECK_EQ(order.Find(last.span()), 4999);
}

TEST(RunsEndAtAnyOtherEntry) {
  const KeyTable table({{"first", 0}, {"second", 1}});
  const std::string first = Entry("first", "1");
  const std::string others[] = {
      Entry("secone", "2"),
      Entry("third", "2"),
      Field(2, Field(1, "second") + Field(2, "2")),
      Field(1, Field(2, "2") + Field(1, "second")),
      Field(1, Field(1, "second") + Field(3, "2")),
      Field(1, Field(1, "second") + Field(2, "2") + Field(2, "")),
      Field(1, Field(1, "second")),
  };
  for (const std::string& other : others) {
    KeyOrder order(table);
    Learn(&order, {"first", "second"});
    order.StartRecord();
    size_t left;
    CHECK_EQ(RunOver(&order, first + other, &left).size(), size_t{1});
    CHECK_EQ(left, other.size());
  }
  // The length would match if it were not the first of two bytes.
  const std::string key = Field(1, "second") + '\x12';
  for (const size_t size : {size_t{0x7f}, size_t{0x90}}) {
    std::string other("\x0a");
    other += static_cast<char>(key.size() + 1 + size);
    other += key + static_cast<char>(size) + std::string(2000, 'v');
    KeyOrder order(table);
    Learn(&order, {"first", "second"});
    order.StartRecord();
    size_t left;
    CHECK_EQ(RunOver(&order, first + other, &left).size(), size_t{1});
  }
  // Every byte of an entry except its value matters.
  const std::string second = Entry("second", "2");
  for (size_t at = 0; at + 1 < second.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string other = second;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      KeyOrder order(table);
      Learn(&order, {"first", "second"});
      order.StartRecord();
      size_t left;
      CHECK_EQ(RunOver(&order, first + other, &left).size(), size_t{1});
    }
  }
}

/// A column with its first offset.
class ScalarColumn {
 public:
  explicit ScalarColumn(Kind kind)
      : plan_{"", Section::kFeatures, kind, 1, true, ""} {
    REQUIRE(data.Clear(plan_));
  }
  size_t values() const {
    switch (plan_.kind) {
      case Kind::kFloat:
        return data.floats.size();
      case Kind::kInt64:
        return data.ints.size();
      default:
        return data.offsets.size() - 1;
    }
  }
  ColumnData data;

 private:
  ColumnPlan plan_;
};

TEST(ScalarsUpToTheFirstOfAnyOtherForm) {
  const std::string ints[] = {IntFeature({1}), IntFeature({-1}),
                              IntFeature({300})};
  const std::string no_ints[] = {"",
                                 IntFeature({}),
                                 IntFeature({1, 2}),
                                 Field(3, UnpackedInts({1})),
                                 FloatFeature({1}),
                                 IntFeature({1}) + IntFeature({2}),
                                 Field(3, Field(1, "\xff")),
                                 IntFeature({1}).substr(0, 4)};
  for (const std::string& other : no_ints) {
    std::string bytes;
    std::vector<size_t> ends{0};
    for (const std::string& each : ints) ends.push_back((bytes += each).size());
    ends.push_back((bytes += other).size());
    ends.push_back((bytes += ints[0]).size());
    const Exact exact(bytes);
    std::vector<Span> spans;
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      spans.push_back({exact.span().data + ends[i], ends[i + 1] - ends[i]});
    }
    ScalarColumn column(Kind::kInt64);
    CHECK_EQ(TakeScalarInts(spans.data(), spans.size(), exact.span().end(),
                            &column.data),
             size_t{3});
    REQUIRE(column.values() == 3);
    CHECK_EQ(column.data.ints.data()[1], -1);
    CHECK_EQ(column.data.ints.data()[2], 300);
  }
}

TEST(ScalarsStayWithinTheLimit) {
  const Exact exact(IntFeature({}));
  const Span span = exact.span();
  ScalarColumn column(Kind::kInt64);
  CHECK_EQ(TakeScalarInts(&span, 1, span.end(), &column.data), size_t{0});
}

TEST(ScalarFloatsAndBytes) {
  const Exact number(FloatFeature({1.5F}));
  const Exact numbers(FloatFeature({1.5F, 2}));
  const Span floats[] = {number.span(), number.span(), numbers.span()};
  ScalarColumn float_column(Kind::kFloat);
  CHECK_EQ(TakeScalarFloats(floats, 3, &float_column.data), size_t{2});
  REQUIRE(float_column.values() == 2);
  const Exact longer(FloatFeature({1.5F}) + Field(9, "unknown"));
  const Span unlike = longer.span();
  CHECK_EQ(TakeScalarFloats(&unlike, 1, &float_column.data), size_t{0});
  CHECK_EQ(float_column.data.floats.data()[1], 1.5F);

  const Exact word(BytesFeature({"word"}));
  const Exact words(BytesFeature({"two", "words"}));
  const Span bytes[] = {word.span(), words.span(), word.span()};
  ScalarColumn bytes_column(Kind::kBytes);
  CHECK_EQ(TakeScalarBytes(bytes, 3, word.span().end(), &bytes_column.data),
           size_t{1});
  CHECK_EQ(bytes_column.values(), size_t{1});
  CHECK_EQ(bytes_column.data.bytes.size(), size_t{4});
}

}  // namespace
}  // namespace tfr::test
