#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/example/encode/batch_encoder.h"
#include "core/example/wire/varint_blocks.h"
#include "core/example/wire/wire_writer.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr {
namespace {

using test::BytesFeature;
using test::Entry;
using test::ExampleOf;
using test::FloatFeature;
using test::IntFeature;

EncoderColumn Ints(const char* key, const std::vector<int64_t>& values) {
  EncoderColumn column;
  column.key = key;
  column.kind = Kind::kInt64;
  column.values = values.data();
  column.size = values.size();
  return column;
}

EncoderColumn Floats(const char* key, const std::vector<float>& values) {
  EncoderColumn column;
  column.key = key;
  column.kind = Kind::kFloat;
  column.values = values.data();
  column.size = values.size();
  return column;
}

EncoderColumn Bytes(const char* key, const std::string& data,
                    const std::vector<int32_t>& offsets) {
  EncoderColumn column;
  column.key = key;
  column.kind = Kind::kBytes;
  column.values = data.data();
  column.data_size = data.size();
  column.offsets = offsets.data();
  column.size = offsets.size() - 1;
  return column;
}

EncoderColumn Split(EncoderColumn column, const std::vector<int32_t>& splits) {
  column.starts = splits.data();
  column.ends = splits.data() + 1;
  return column;
}

EncoderColumn Fixed(EncoderColumn column, size_t count) {
  column.count = count;
  return column;
}

/// The encoded records, each in memory of exactly its size.
std::vector<std::string> Encode(const std::vector<EncoderColumn>& columns,
                                size_t rows) {
  BatchEncoder encoder(columns, rows);
  std::vector<Frame> frames(rows);
  EncodeFault fault;
  REQUIRE(encoder.Measure(frames.data(), &fault));
  std::vector<uint8_t> slab(encoder.bytes());
  encoder.Write(frames.data(), slab.data());
  std::vector<std::string> records;
  size_t end = 0;
  for (const Frame& frame : frames) {
    CHECK_EQ(frame.offset, end);
    end += frame.length;
    records.emplace_back(
        reinterpret_cast<const char*>(slab.data()) + frame.offset,
        frame.length);
  }
  CHECK_EQ(end, slab.size());
  return records;
}

EncodeFault FaultOf(const std::vector<EncoderColumn>& columns, size_t rows) {
  BatchEncoder encoder(columns, rows);
  std::vector<Frame> frames(rows);
  EncodeFault fault;
  CHECK(!encoder.Measure(frames.data(), &fault));
  return fault;
}

TEST(VarintsHaveTheMeasuredSize) {
  for (int bit = 0; bit < 64; ++bit) {
    for (int64_t near = -1; near <= 1; ++near) {
      const uint64_t value = (uint64_t{1} << bit) + static_cast<uint64_t>(near);
      const std::string wanted = test::Varint(value);
      CHECK_EQ(VarintSize(value), wanted.size());
      for (size_t room : {wanted.size(), size_t{16}}) {
        std::vector<uint8_t> bytes(room);
        const uint8_t* const end =
            WriteVarint(bytes.data(), bytes.data() + room, value);
        CHECK_EQ(static_cast<size_t>(end - bytes.data()), wanted.size());
        CHECK(std::memcmp(bytes.data(), wanted.data(), wanted.size()) == 0);
      }
    }
  }
}

TEST(ManyVarintsOfAnyWidth) {
  std::mt19937_64 random(7);
  for (const unsigned bits : {1, 7, 8, 14, 15, 28, 29, 56, 57, 63, 64}) {
    for (const size_t count : {0, 1, 2, 31, 32, 33, 64, 100, 500}) {
      std::vector<uint64_t> values(count);
      std::string wanted;
      for (uint64_t& value : values) {
        // All lengths up to the maximum; the last value always has the maximum.
        value = random() >> (64 - bits) >> random() % bits;
        if (&value == &values.back()) value = ~uint64_t{0} >> (64 - bits);
        wanted += test::Varint(value);
      }
      CHECK_EQ(VarintsSize(values.data(), count), wanted.size());
      for (const size_t room : {wanted.size(), wanted.size() + 1000}) {
        std::vector<uint8_t> bytes(room);
        const uint8_t* const end = WriteVarints(
            values.data(), count, bytes.data(), bytes.data() + room);
        CHECK_EQ(static_cast<size_t>(end - bytes.data()), wanted.size());
        CHECK(std::equal(
            wanted.begin(), wanted.end(), bytes.begin(),
            [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; }));
      }
    }
  }
}

TEST(RowsOfAllKinds) {
  const std::vector<int64_t> ints = {1, -1, 300, 0,
                                     std::numeric_limits<int64_t>::min()};
  const std::vector<int32_t> int_rows = {0, 3, 3, 5};
  const std::vector<float> floats = {1.5f, -0.0f, 3e38f, 4, 5, 6};
  const std::string data = "xabcde";
  const std::vector<int32_t> offsets = {1, 3, 3, 6};
  const auto records =
      Encode({Fixed(Bytes("b", data, offsets), 1),
              Fixed(Floats("f", floats), 2), Split(Ints("i", ints), int_rows)},
             3);
  const auto example = [](const char* b, std::vector<float> f,
                          std::vector<int64_t> i) {
    return ExampleOf(
        {Entry("b", BytesFeature({b})), Entry("f", FloatFeature(f)),
         Entry("i", i.empty() ? test::Field(3, "") : IntFeature(i))});
  };
  CHECK(records[0] == example("ab", {1.5f, -0.0f}, {1, -1, 300}));
  CHECK(records[1] == example("", {3e38f, 4}, {}));
  CHECK(records[2] ==
        example("cde", {5, 6}, {0, std::numeric_limits<int64_t>::min()}));
}

/// Checks one column of ints whose rows are given by `starts` and `ends`.
void CheckRows(const std::vector<int64_t>& values,
               const std::vector<int32_t>& starts,
               const std::vector<int32_t>& ends) {
  EncoderColumn column = Ints("i", values);
  column.starts = starts.data();
  column.ends = ends.data();
  const auto records = Encode({column}, starts.size());
  for (size_t row = 0; row < starts.size(); ++row) {
    const std::vector<int64_t> own(values.begin() + starts[row],
                                   values.begin() + ends[row]);
    const std::string list = own.empty() ? test::Field(3, "") : IntFeature(own);
    CHECK(records[row] == ExampleOf({Entry("i", list)}));
  }
}

TEST(RowsOfFewAndOfManyValues) {
  std::mt19937_64 random(11);
  std::vector<int64_t> values(5000);
  for (int64_t& value : values) {
    value = static_cast<int64_t>(random() >> random() % 64);
  }
  const auto total = static_cast<int32_t>(values.size());
  // Few values, as many as are measured together, one more, and many.
  for (const int32_t most : {1, 8, 32, 33, 64, 256, 257, 700}) {
    std::vector<int32_t> splits = {0};
    while (splits.back() < total) {
      const auto count = static_cast<int32_t>(random() % (most + 1));
      splits.push_back(std::min(total, splits.back() + count));
    }
    CheckRows(values, {splits.begin(), splits.end() - 1},
              {splits.begin() + 1, splits.end()});
  }
}

TEST(RowsInAnyOrder) {
  std::mt19937_64 random(12);
  std::vector<int64_t> values(1000);
  for (int64_t& value : values) {
    value = static_cast<int64_t>(random() >> random() % 64);
  }
  std::vector<int32_t> starts;
  std::vector<int32_t> ends;
  for (int row = 0; row < 3000; ++row) {
    // Some rows continue where the last one ended; others overlap.
    const bool follows = !ends.empty() && random() % 3 > 0;
    starts.push_back(follows ? ends.back()
                             : static_cast<int32_t>(random() % values.size()));
    const auto left = static_cast<int32_t>(values.size()) - starts.back();
    ends.push_back(starts.back() +
                   static_cast<int32_t>(random() % (std::min(left, 40) + 1)));
  }
  CheckRows(values, starts, ends);
}

TEST(LengthsOfTwoBytesAndMore) {
  for (size_t size : {0, 1, 100, 110, 120, 125, 130, 16370, 16390, 2100000}) {
    const std::string data(size, 'x');
    const std::vector<int32_t> offsets = {0, static_cast<int32_t>(size)};
    const std::string key(size % 300, 'k');
    const auto records =
        Encode({Fixed(Bytes(key.c_str(), data, offsets), 1)}, 1);
    CHECK(records[0] == ExampleOf({Entry(key, BytesFeature({data}))}));
  }
}

TEST(ShortAndLongFeaturesInTurn) {
  for (size_t key_size : {0, 1, 21, 22, 23, 53, 54, 55, 118, 127, 128}) {
    const std::string key(key_size, 'k');
    // Content of 0 to 130 bytes, in one value and in several; the last rows
    // have little room after them.
    std::vector<int64_t> ints;
    std::vector<float> floats;
    std::vector<int32_t> splits{0};
    std::string data;
    std::vector<int32_t> ends{0};
    std::vector<std::string> expected;
    for (size_t row = 0; row <= 130; ++row) {
      std::vector<int64_t> row_ints;
      std::vector<float> row_floats;
      for (size_t i = 0; i < row; ++i) {
        const uint64_t wide = uint64_t{1} << (row % 64);
        row_ints.push_back(static_cast<int64_t>(row % 3 == 0 ? wide : i));
        row_floats.push_back(static_cast<float>(i) + 0.5F);
      }
      ints.insert(ints.end(), row_ints.begin(), row_ints.end());
      floats.insert(floats.end(), row_floats.begin(), row_floats.end());
      splits.push_back(static_cast<int32_t>(ints.size()));
      const std::string value(row, static_cast<char>('a' + row % 26));
      data += value;
      ends.push_back(static_cast<int32_t>(data.size()));
      expected.push_back(ExampleOf({Entry("b" + key, BytesFeature({value})),
                                    Entry("f" + key, FloatFeature(row_floats)),
                                    Entry("i" + key, IntFeature(row_ints))}));
    }
    const std::string names[] = {"b" + key, "f" + key, "i" + key};
    const auto records =
        Encode({Fixed(Bytes(names[0].c_str(), data, ends), 1),
                Split(Floats(names[1].c_str(), floats), splits),
                Split(Ints(names[2].c_str(), ints), splits)},
               131);
    // A list without numbers has no chunk.
    for (size_t row = 1; row <= 130; ++row) {
      CHECK(records[row] == expected[row]);
    }
  }
}

TEST(NothingToEncode) {
  CHECK_EQ(Encode({}, 0).size(), 0u);
  CHECK(Encode({}, 2)[1] == ExampleOf({}));
  CHECK(Encode({Fixed(Ints("i", {}), 0)}, 2)[1] ==
        ExampleOf({Entry("i", test::Field(3, ""))}));
}

TEST(RowsOutsideTheColumnAreRefused) {
  const std::vector<int64_t> values = {1, 2, 3};
  const std::vector<std::vector<int32_t>> wrong = {
      {0, 1, 4}, {0, 2, 1}, {0, -1, 3}, {0, 4, 3}};
  for (const std::vector<int32_t>& splits : wrong) {
    const EncodeFault fault = FaultOf(
        {Fixed(Ints("a", values), 1), Split(Ints("b", values), splits)}, 2);
    CHECK_EQ(fault.code, EncodeFaultCode::kRows);
    CHECK_EQ(fault.column, 1u);
    CHECK_EQ(fault.row, splits[1] == 1 || splits[1] == 2 ? 1u : 0u);
  }
  CHECK_EQ(FaultOf({Fixed(Ints("a", values), 2)}, 2).row, 1u);
  CHECK_EQ(FaultOf({Fixed(Ints("a", values), ~size_t{0} / 2)}, 3).row, 0u);
}

TEST(BytesOutsideTheDataAreRefused) {
  const std::vector<std::vector<int32_t>> wrong = {
      {0, 1, 4}, {0, 2, 1}, {0, -1, 3}, {-1, 0, 1}};
  for (const std::vector<int32_t>& offsets : wrong) {
    const EncodeFault fault =
        FaultOf({Fixed(Bytes("b", "abc", offsets), 1)}, 2);
    CHECK_EQ(fault.code, EncodeFaultCode::kOffsets);
  }
}

TEST(AbsentRowsHaveNoFeature) {
  const std::vector<int64_t> ids = {7, 8, 9};
  const std::vector<float> scores = {0.5F};
  EncoderColumn present = Fixed(Ints("id", ids), 1);
  EncoderColumn some = Floats("score", scores);
  const std::vector<int32_t> starts = {kAbsentRow, 0, 1};
  const std::vector<int32_t> ends = {5, 1, 1};
  some.starts = starts.data();
  some.ends = ends.data();
  const auto records = Encode({present, some}, 3);
  CHECK_EQ(records[0], ExampleOf({Entry("id", IntFeature({7}))}));
  CHECK_EQ(records[1], ExampleOf({Entry("id", IntFeature({8})),
                                  Entry("score", FloatFeature({0.5F}))}));
  // A row without values has an empty list, which has no packed chunk.
  CHECK_EQ(records[2], ExampleOf({Entry("id", IntFeature({9})),
                                  Entry("score", test::Field(2, ""))}));
}

TEST(TooLargeExamplesAndBatchesAreRefused) {
  // The same megabyte of zeros, many times.
  const std::string data(1 << 20, '\0');
  const std::vector<int32_t> offsets = {0, 1 << 20};
  std::vector<EncoderColumn> columns(2048, Fixed(Bytes("b", data, offsets), 1));
  const EncodeFault example = FaultOf(columns, 1);
  CHECK_EQ(example.code, EncodeFaultCode::kExampleTooLarge);
  CHECK_EQ(example.column, 2047u);
  const std::vector<int32_t> starts(5000, 0);
  const std::vector<int32_t> ends(5000, 1);
  EncoderColumn column = columns[0];
  column.starts = starts.data();
  column.ends = ends.data();
  const EncodeFault batch = FaultOf({column}, 5000);
  CHECK_EQ(batch.code, EncodeFaultCode::kBatchTooLarge);
  CHECK_EQ(batch.row, 4095u);
}

}  // namespace
}  // namespace tfr
