#include <vector>

#include "core/example/parse/row_block.h"
#include "test/example/example_checks.h"

namespace tfr::test {
namespace {

const PlanPtr& FourPlan() {
  static const PlanPtr* const plan = new PlanPtr(
      ExamplePlan({VarLen("a", Kind::kInt64), VarLen("b", Kind::kFloat),
                   VarLen("c", Kind::kBytes), VarLen("d", Kind::kBytes)}));
  return *plan;
}

/// A parser that holds one row.
struct Row {
  BatchParser parser{FourPlan()};

  explicit Row(const std::string& record) {
    const Slab slab({record});
    ParseFault fault;
    REQUIRE(parser.Clear());
    REQUIRE_EQ(parser.Append(slab.data(), slab.size(), slab.frames().data(), 1,
                             &fault),
               1u);
  }
};

template <class T>
T At(const std::vector<uint8_t>& block, int32_t place) {
  T value;
  std::memcpy(&value, block.data() + place, sizeof(value));
  return value;
}

TEST(WritesOneRow) {
  const Row row(ExampleOf({Entry("a", IntFeature({-1, 7})),
                           Entry("b", FloatFeature({0.5})),
                           Entry("c", BytesFeature({"x", "", "yz"}))}));
  std::vector<uint8_t> block(200);
  REQUIRE(WriteRowBlock(row.parser, block.data(), block.size()));
  const int32_t counts[] = {2, 1, 3, 0};
  int32_t places[4];
  for (int32_t i = 0; i < 4; ++i) {
    CHECK_EQ(At<int32_t>(block, i * 8), counts[i]);
    places[i] = At<int32_t>(block, i * 8 + 4);
    CHECK_EQ(places[i] % 8, 0);
  }
  CHECK_EQ(At<int64_t>(block, places[0]), -1);
  CHECK_EQ(At<int64_t>(block, places[0] + 8), 7);
  CHECK_EQ(At<float>(block, places[1]), 0.5F);
  Strings values;
  for (int32_t i = 0; i < 3; ++i) {
    const auto* const bytes = reinterpret_cast<const char*>(block.data());
    values.emplace_back(bytes + At<int32_t>(block, places[2] + i * 4),
                        bytes + At<int32_t>(block, places[2] + i * 4 + 4));
  }
  CHECK(values == Strings({"x", "", "yz"}));
}

/// The block has exactly its size, so that a sanitizer detects writes past the
/// end.
TEST(RowsLargerThanTheBlockAreRefused) {
  for (const auto& record :
       {std::string(), ExampleOf({Entry("a", IntFeature({1, 2, 3})),
                                  Entry("c", BytesFeature({"x"})),
                                  Entry("d", BytesFeature({"", "0123"}))})}) {
    const Row row(record);
    bool before = false;
    size_t least = 0;
    for (size_t size = 0; size < 200; ++size) {
      std::vector<uint8_t> block(size);
      const bool fits = WriteRowBlock(row.parser, block.data(), size);
      CHECK(fits || !before);
      if (!fits) least = size + 1;
      before = fits;
    }
    CHECK(before);
    // The header, offsets of two columns of bytes, padding; then the values.
    CHECK_EQ(least, record.empty() ? 44u : 88u);
  }
}

}  // namespace
}  // namespace tfr::test
