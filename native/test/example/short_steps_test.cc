// The fast path for short steps of feature lists: cut at every position, and
// the end of each run.

#include "core/example/parse/short_steps.h"

#include <string>
#include <vector>

#include "test/example/exact_bytes.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

/// An initialized column.
struct Column {
  Column(Kind kind, int64_t count) {
    plan.section = Section::kLists;
    plan.kind = kind;
    plan.count = count;
    REQUIRE(data.Clear(plan));
  }

  template <class Values>
  size_t Take(const std::string& bytes, size_t most, size_t* left) {
    const Exact exact(bytes);
    WireReader list(exact.span());
    const size_t taken = TakeShortSteps<Values>(plan.count, &list, most,
                                                exact.span().end(), &data);
    *left = list.rest().size;
    return taken;
  }

  ColumnPlan plan;
  ColumnData data;
};

std::string Steps(const std::vector<std::string>& features) {
  return FeatureList(features);
}

TEST(IntsOfEveryWidthAtEveryCut) {
  std::vector<int64_t> values;
  std::string bytes;
  std::vector<size_t> ends{0};
  for (unsigned bits = 0; bits <= 64; ++bits) {
    values.push_back(
        bits == 0 ? 0 : static_cast<int64_t>(~uint64_t{0} >> (64 - bits)));
    ends.push_back((bytes += Steps({IntFeature({values.back()})})).size());
  }
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    // Bytes after the list may look like more of it.
    for (const size_t slack : {0, 1, 8, 40}) {
      Column column(Kind::kInt64, 1);
      const Exact exact(bytes.substr(0, cut + slack));
      if (exact.span().size < cut) continue;
      WireReader list({exact.span().data, cut});
      const size_t taken = TakeShortSteps<IntValues>(
          1, &list, 1000, exact.span().end(), &column.data);
      size_t whole = 0;
      while (whole < values.size() && ends[whole + 1] <= cut) ++whole;
      // The last step may be too close to the end of memory for the fast path.
      REQUIRE(taken <= whole && taken + 2 > whole);
      CHECK_EQ(list.rest().size, cut - ends[taken]);
      REQUIRE(column.data.ints.size() == taken);
      for (size_t i = 0; i < taken; ++i) {
        CHECK_EQ(column.data.ints.data()[i], values[i]);
      }
    }
  }
}

TEST(ListsOfAnyCount) {
  Column column(Kind::kFloat, kAnyCount);
  std::vector<std::string> features;
  std::vector<int32_t> splits{0};
  std::vector<float> values;
  for (const size_t count : {0, 1, 2, 7, 8, 9, 20, 30}) {
    const std::vector<float> step(count, 0.5F + static_cast<float>(count));
    features.push_back(FloatFeature(step));
    values.insert(values.end(), step.begin(), step.end());
    splits.push_back(static_cast<int32_t>(values.size()));
  }
  size_t left;
  CHECK_EQ(column.Take<FloatValues>(Steps(features), 1000, &left), size_t{8});
  CHECK_EQ(left, size_t{0});
  REQUIRE(column.data.floats.size() == values.size());
  REQUIRE(column.data.splits.size() == splits.size());
  for (size_t i = 0; i < values.size(); ++i) {
    CHECK_EQ(column.data.floats.data()[i], values[i]);
  }
  for (size_t i = 0; i < splits.size(); ++i) {
    CHECK_EQ(column.data.splits.data()[i], splits[i]);
  }
}

TEST(BytesAndFixedCounts) {
  Column bytes(Kind::kBytes, 1);
  size_t left;
  const std::string steps = Steps({BytesFeature({"one"}), BytesFeature({""}),
                                   BytesFeature({std::string(123, 'x')})});
  CHECK_EQ(bytes.Take<BytesValues>(steps, 1000, &left), size_t{3});
  CHECK_EQ(bytes.data.bytes.size(), size_t{126});
  // Two values have two headers.
  CHECK_EQ(bytes.Take<BytesValues>(Steps({BytesFeature({"a", "b"})}), 9, &left),
           size_t{0});
  Column pairs(Kind::kInt64, 2);
  const std::string right = Steps({IntFeature({1, 2}), IntFeature({3, 300})});
  const std::string wrong = Steps({IntFeature({4}), IntFeature({5, 6})});
  CHECK_EQ(pairs.Take<IntValues>(right + wrong, 1000, &left), size_t{2});
  CHECK_EQ(pairs.data.ints.size(), size_t{4});
  CHECK_EQ(left, wrong.size());
}

TEST(TakesAtMostTheRequestedSteps) {
  const std::string steps =
      Steps(std::vector<std::string>(200, IntFeature({5})));
  for (const size_t most : {0, 1, 63, 64, 65, 128, 150}) {
    Column column(Kind::kInt64, 1);
    size_t left;
    CHECK_EQ(column.Take<IntValues>(steps, most, &left), most);
    CHECK_EQ(left, steps.size() / 200 * (200 - most));
  }
}

TEST(EveryBitOfAHeaderMatters) {
  const std::string first = Steps({IntFeature({1})});
  const std::string second = Steps({IntFeature({300})});
  const std::string behind = Steps({IntFeature({1}), IntFeature({1})});
  for (size_t at = 0; at < 6; ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string other = second;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      Column column(Kind::kInt64, 1);
      size_t left;
      const size_t taken =
          column.Take<IntValues>(first + other + behind, 1000, &left);
      CHECK_EQ(taken, size_t{1});
      CHECK_EQ(left, other.size() + behind.size());
    }
  }
}

TEST(InvalidChunksEndARun) {
  Column ints(Kind::kInt64, 1);
  Column floats(Kind::kFloat, kAnyCount);
  size_t left;
  for (const char* packed : {"", "\x80", "\x01\x02", "\x81\x01\x01"}) {
    const std::string step = Steps({Field(3, Field(1, packed))});
    CHECK_EQ(ints.Take<IntValues>(step + step, 1000, &left), size_t{0});
    CHECK_EQ(left, 2 * step.size());
  }
  const std::string odd = Steps({Field(2, Field(1, "12345"))});
  CHECK_EQ(floats.Take<FloatValues>(odd + odd, 1000, &left), size_t{0});
  CHECK_EQ(floats.data.splits.size(), size_t{1});
}

}  // namespace
}  // namespace tfr::test
