// The layers below the parser: wire format, packed varints, keys.

#include <cstring>
#include <vector>

#include "core/example/parse/plan/key_order.h"
#include "core/example/parse/plan/key_table.h"
#include "core/example/parse/split_values.h"
#include "core/example/wire/varints.h"
#include "core/example/wire/wire.h"
#include "test/example/exact_bytes.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

Span SpanOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(VarintsOfAllSizesAndCuts) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value :
         {uint64_t{1} << bit, (uint64_t{2} << bit) - 1}) {
      const std::string bytes = Varint(value);
      for (size_t size = 0; size <= bytes.size(); ++size) {
        const Exact exact(bytes.substr(0, size));
        WireReader reader(exact.span());
        uint64_t read = 0;
        const bool whole = size == bytes.size();
        CHECK_EQ(reader.Varint(&read), whole);
        CHECK_EQ(reader.position(), exact.span().data + (whole ? size : 0));
        if (whole) CHECK_EQ(read, value);
      }
    }
  }
}

TEST(PackedVarintsReadWordsOnlyUpToTheLimit) {
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t value = (uint64_t{1} << bit) | 1;
    const std::string bytes = Varint(value);
    for (size_t behind = 0; behind < 12; ++behind) {
      for (const char fill : {'\x01', '\xff'}) {
        const Exact exact(bytes + std::string(behind, fill));
        const uint8_t* const data = exact.span().data;
        uint64_t read = 0;
        CHECK_EQ(
            ReadVarint(data, data + bytes.size(), exact.span().end(), &read),
            data + bytes.size());
        CHECK_EQ(read, value);
        // The varint must end within the chunk.
        if (bytes.size() == 1) continue;
        CHECK(ReadVarint(data, data + bytes.size() - 1, exact.span().end(),
                         &read) == nullptr);
      }
    }
  }
}

TEST(CountOfVarints) {
  CHECK_EQ(CountVarints(SpanOf("")), 0u);
  CHECK_EQ(CountVarints(SpanOf("\x01\x80\x80\x01\x7f\x80")), 3u);
}

TEST(Tags) {
  const auto read = [](const std::string& bytes) {
    const Exact exact(bytes);
    WireReader reader(exact.span());
    uint32_t tag = 0;
    const bool good = reader.Tag(&tag);
    if (!good) CHECK_EQ(reader.position(), exact.span().data);
    return good ? tag : 0;
  };
  CHECK_EQ(read(Tag(1, 0)), 8u);
  CHECK_EQ(read(Tag(15, 7)), 127u);
  CHECK_EQ(read(Tag(16, 2)), LengthTag(16));
  CHECK_EQ(read(Tag(536870911, 7)), 0xffffffffu);
  CHECK_EQ(read(Tag(536870912, 0)), 0u);
  for (char bad = 0; bad < 8; ++bad) CHECK_EQ(read(std::string(1, bad)), 0u);
  CHECK_EQ(read(""), 0u);
  CHECK_EQ(read("\x8a"), 0u);
  // A tag has at most five bytes and 32 bits.
  CHECK_EQ(read("\x8a\x80\x80\x80" + std::string(1, '\0')), 10u);
  CHECK_EQ(read("\x8a\x80\x80\x80\x80" + std::string(1, '\0')), 0u);
  CHECK_EQ(read("\x8a\x80\x80\x80\x10"), 0u);
}

TEST(BytesStayWithinTheirMessage) {
  for (const uint64_t size : {uint64_t{0}, uint64_t{3}, uint64_t{4},
                              uint64_t{0xffffffff}, ~uint64_t{0}}) {
    const Exact exact(Varint(size) + "abc");
    WireReader reader(exact.span());
    Span bytes;
    CHECK_EQ(reader.Bytes(&bytes), size <= 3);
    if (size <= 3) {
      CHECK_EQ(bytes.size, size);
    } else {
      CHECK_EQ(reader.position(), exact.span().data);
    }
  }
}

TEST(LengthsHaveFiveBytesAtMost) {
  const auto reads = [](const std::string& length) {
    const Exact exact(length + "abc");
    WireReader reader(exact.span());
    Span bytes;
    const bool good = reader.Bytes(&bytes);
    if (!good) CHECK_EQ(reader.position(), exact.span().data);
    return good && bytes.size == 3;
  };
  const std::string zero(1, '\0');
  CHECK(reads("\x03"));
  CHECK(reads("\x83" + zero));
  CHECK(reads("\x83\x80" + zero));
  CHECK(reads("\x83\x80\x80\x80" + zero));
  CHECK(!reads("\x83\x80\x80\x80\x80" + zero));
  CHECK(!reads("\x83\x80\x80\x80\x10"));
}

TEST(MessagesAndGroupsNestAHundredDeepTogether) {
  for (size_t depth = 0; depth < 6; ++depth) {
    for (const size_t groups :
         {1u, 93u, 94u, 95u, 96u, 97u, 98u, 99u, 100u, 101u, 1000u}) {
      std::string bytes;
      for (size_t i = 0; i < groups; ++i) bytes += Tag(9, 3);
      for (size_t i = 0; i < groups; ++i) bytes += Tag(9, 4);
      const Exact exact(bytes);
      WireReader reader(exact.span(), depth);
      uint32_t tag;
      REQUIRE(reader.Tag(&tag));
      CHECK_EQ(reader.Skip(tag), depth + groups <= 100);
    }
  }
}

TEST(SkipSkipsOnlyWholeFields) {
  const std::string fields[] = {
      Tag(9, 0) + Varint(~uint64_t{0}), Tag(9, 1) + "12345678", Field(9, "any"),
      Tag(9, 5) + "1234",
      Tag(9, 3) + Tag(1, 3) + Field(2, "x") + Tag(1, 4) + Tag(9, 4)};
  for (const std::string& field : fields) {
    for (size_t size = 1; size <= field.size(); ++size) {
      const Exact exact(field.substr(0, size));
      WireReader reader(exact.span());
      uint32_t tag;
      REQUIRE(reader.Tag(&tag));
      CHECK_EQ(reader.Skip(tag), size == field.size());
      if (size == field.size()) CHECK(reader.done());
    }
  }
}

TEST(KeyTableFindsItsKeys) {
  for (const size_t count : {0, 1, 2, 3, 100, 5000}) {
    std::vector<KeyTable::Entry> entries;
    for (size_t i = 0; i < count; ++i) {
      // Keys are prefixes of each other; the first is empty.
      std::string key(i % 40, 'k');
      if (i >= 40) key += std::to_string(i);
      entries.push_back({std::move(key), static_cast<int32_t>(i)});
    }
    const KeyTable table(entries);
    CHECK_EQ(table.empty(), count == 0);
    for (const auto& entry : entries) {
      CHECK_EQ(table.Find(SpanOf(entry.key)), entry.column);
    }
    for (const std::string& other :
         {std::string("x"), std::string(1, '\0'), std::string(9, '\0'),
          std::string(1000, 'k')}) {
      CHECK_EQ(table.Find(SpanOf(other)), KeyTable::kNotFound);
    }
  }
}

TEST(KeyOrderAgreesWithTheTable) {
  const KeyTable table({{"a", 0}, {"b", 1}, {"", 2}, {"a long key", 3}});
  const std::string keys[] = {
      "a", "b", "", "a long key", "a long kex", "b long key", "nobody", "c"};
  KeyOrder order(table);
  for (size_t record = 0; record < 200; ++record) {
    if (record % 50 == 49) order.Restart();
    order.StartRecord();
    for (size_t i = 0; i < 8; ++i) {
      // One order with gaps, later another order in every record.
      const size_t at = record < 100 ? i : (i * 5 + record * 3) % 8;
      if ((record + i) % 6 == 0) continue;
      // In memory that the next key reuses.
      const std::string key = keys[at];
      const int32_t expected = at < 4 ? static_cast<int32_t>(at) : -1;
      CHECK_EQ(order.Find(SpanOf(key)), expected);
      CHECK_EQ(table.Find(SpanOf(key)), expected);
    }
  }
}

TEST(KeyOrderLearnsABoundedNumberOfKeys) {
  std::vector<std::string> keys;
  std::vector<KeyTable::Entry> entries;
  for (int i = 0; i < 2000; ++i) {
    keys.push_back(std::to_string(i));
    entries.push_back({keys.back(), i});
  }
  const KeyTable table(entries);
  KeyOrder order(table);
  for (int record = 0; record < 100; ++record) {
    order.StartRecord();
    for (int i = 0; i < 2000; ++i) {
      CHECK_EQ(order.Find(SpanOf(keys[static_cast<size_t>(i)])), i);
    }
  }
}

TEST(SplitValuesStayWhereTheyAre) {
  SplitValues values;
  const std::string origins(300, 'o');
  std::vector<uint8_t*> rooms;
  for (size_t i = 0; i < 300; ++i) {
    const size_t size = i * i % 5000;
    rooms.push_back(values.Room(size, SpanOf(origins).data + i));
    REQUIRE(rooms.back() != nullptr);
    std::memset(rooms.back(), static_cast<int>(i % 256), size);
  }
  for (size_t i = 0; i < 300; ++i) {
    CHECK_EQ(SplitValues::OriginOf(rooms[i]), SpanOf(origins).data + i);
    const size_t size = i * i % 5000;
    if (size > 0) CHECK_EQ(rooms[i][size - 1], static_cast<uint8_t>(i % 256));
  }
}

}  // namespace
}  // namespace tfr::test
