#ifndef TFR_TEST_EXAMPLE_EXAMPLE_CHECKS_H_
#define TFR_TEST_EXAMPLE_EXAMPLE_CHECKS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/example/example_bytes.h"
#include "test/example/example_runs.h"
#include "test/support/check.h"

/// Helpers for expectations about a record. Everything parsed here is also
/// compared with the plain parser.
namespace tfr::test {

using PlanPtr = std::shared_ptr<const Plan>;

inline ColumnPlan VarLen(std::string key, Kind kind,
                         Section section = Section::kFeatures) {
  return {std::move(key), section, kind, kAnyCount, false, "", false};
}

inline ColumnPlan FixedLen(std::string key, Kind kind, int64_t count,
                           std::string fallback = "",
                           Section section = Section::kFeatures) {
  return {std::move(key),      section, kind, count, true,
          std::move(fallback), false};
}

inline PlanPtr ExamplePlan(std::vector<ColumnPlan> columns) {
  return std::make_shared<const Plan>(std::move(columns), false, false);
}

inline PlanPtr NumberPlan(std::vector<ColumnPlan> columns) {
  return std::make_shared<const Plan>(std::move(columns), false, true);
}

inline PlanPtr SequencePlan(std::vector<ColumnPlan> columns) {
  return std::make_shared<const Plan>(std::move(columns), true, false);
}

template <class T>
std::vector<T> VectorOf(const TypedBuffer<T>& buffer) {
  if (buffer.size() == 0) return {};
  return std::vector<T>(buffer.data(), buffer.data() + buffer.size());
}

/// The columns of some records, and the fault that stopped the parser.
class Parsed {
 public:
  Parsed(const PlanPtr& plan, const std::vector<std::string>& records)
      : parser_(plan) {
    CHECK_EQ(CompareAll(plan, records), "");
    const Slab slab(records);
    REQUIRE(parser_.Clear());
    rows_ = parser_.Append(slab.data(), slab.size(), slab.frames().data(),
                           records.size(), &fault_);
    CHECK_EQ(parser_.rows(), rows_);
  }

  size_t rows() const { return rows_; }
  const ParseFault& fault() const { return fault_; }

  std::vector<int64_t> Ints(size_t column = 0) const {
    return VectorOf(parser_.column(column).ints);
  }
  std::vector<float> Floats(size_t column = 0) const {
    return VectorOf(parser_.column(column).floats);
  }
  std::vector<int32_t> Splits(size_t column = 0) const {
    return VectorOf(parser_.column(column).splits);
  }
  std::vector<int32_t> Present(size_t column = 0) const {
    return VectorOf(parser_.column(column).present);
  }
  std::vector<int32_t> Steps(size_t column = 0) const {
    return VectorOf(parser_.column(column).steps);
  }
  std::vector<std::string> Bytes(size_t column = 0) const {
    const ColumnData& data = parser_.column(column);
    const std::string bytes = TextOf(data.bytes);
    std::vector<std::string> values;
    for (size_t i = 0; i + 1 < data.offsets.size(); ++i) {
      values.emplace_back(bytes.data() + data.offsets.data()[i],
                          bytes.data() + data.offsets.data()[i + 1]);
    }
    return values;
  }

 private:
  BatchParser parser_;
  ParseFault fault_;
  size_t rows_ = 0;
};

/// Parses one record for the feature (or list) "a", with any number of values.
inline Parsed ParseA(Kind kind, const std::string& record) {
  return Parsed(ExamplePlan({VarLen("a", kind)}), {record});
}

using Int64s = std::vector<int64_t>;
using Int32s = std::vector<int32_t>;
using FloatVector = std::vector<float>;
using Strings = std::vector<std::string>;

/// The values of int64 feature "a" in a record that must be valid.
inline Int64s IntsOf(const std::string& record) {
  const Parsed parsed = ParseA(Kind::kInt64, record);
  CHECK_EQ(parsed.rows(), 1u);
  return parsed.Ints();
}

inline FloatVector FloatsOf(const std::string& record) {
  const Parsed parsed = ParseA(Kind::kFloat, record);
  CHECK_EQ(parsed.rows(), 1u);
  return parsed.Floats();
}

inline Strings BytesOf(const std::string& record) {
  const Parsed parsed = ParseA(Kind::kBytes, record);
  CHECK_EQ(parsed.rows(), 1u);
  return parsed.Bytes();
}

/// An Example whose feature "a" is an int64 list with this content.
inline std::string IntList(const std::string& body) {
  return ExampleOf({Entry("a", Field(3, body))});
}

inline std::string FloatList(const std::string& body) {
  return ExampleOf({Entry("a", Field(2, body))});
}

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_EXAMPLE_CHECKS_H_
