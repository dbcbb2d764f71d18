/// Rows that one thread pushes and another, DuckDB's, waits for: their values,
/// ends, failures, and the release of batches.
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "duckdb/pushed_rows.h"
#include "test/duckdb/fake_duckdb.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

using duckdb::ColumnView;
using duckdb::DataChunkHandle;
using duckdb::RowQueue;
using duckdb::VectorHandle;

using Row = std::vector<std::string>;

duckdb::Column ColumnOf(const char* name, duckdb::Type type, bool list) {
  duckdb::Column column;
  column.name = name;
  column.type = type;
  if (list) column.levels.push_back({duckdb::Level::kAnyLength, 0});
  return column;
}

std::vector<duckdb::Column> Columns() {
  return {ColumnOf("id", duckdb::kBigint, false),
          ColumnOf("t", duckdb::kVarchar, false),
          ColumnOf("l", duckdb::kFloat, true)};
}

/// The row with the number `i`.
Row RowOf(size_t i) {
  std::string list = "[";
  for (size_t k = 0; k < i % 4; ++k) {
    list += (k == 0 ? "" : ",") + std::to_string(i);
  }
  return {i % 3 == 0 ? "NULL" : std::to_string(i), std::string(i % 40, 'x'),
          list + "]"};
}

std::atomic<int> alive = 0;

/// The rows `begin` to `begin + count`.
class Batch final : public duckdb::PushedBatch {
 public:
  Batch(size_t begin, size_t count) {
    ++alive;
    rows = count;
    validity_.resize((count + 63) / 64 * 8);
    for (size_t row = 0; row < count; ++row) {
      const size_t i = begin + row;
      if (i % 3 != 0) {
        validity_[row / 8] |= static_cast<uint8_t>(1U << row % 8);
      }
      ids_.push_back(static_cast<int64_t>(i));
      bytes_ += std::string(i % 40, 'x');
      offsets_.push_back(static_cast<int32_t>(bytes_.size()));
      floats_.resize(floats_.size() + i % 4, static_cast<float>(i));
      splits_.push_back(static_cast<int32_t>(floats_.size()));
    }
    ColumnView ids;
    ids.validity = validity_.data();
    ids.values = ids_.data();
    ColumnView texts;
    texts.offsets = offsets_.data();
    texts.values = bytes_.data();
    ColumnView lists;
    lists.splits = splits_.data();
    lists.values = floats_.data();
    columns = {ids, texts, lists};
  }
  ~Batch() override { --alive; }

 private:
  std::vector<uint8_t> validity_;
  std::vector<int64_t> ids_;
  std::string bytes_;
  std::vector<int32_t> offsets_ = {0};
  std::vector<float> floats_;
  std::vector<int32_t> splits_ = {0};
};

/// Takes the rows of a queue, as DuckDB's thread does.
class Taker {
 public:
  explicit Taker(const std::shared_ptr<RowQueue>& queue) {
    std::string error;
    const auto host = duckdb::NewPushedHost(queue);
    query_ = host->Bind({}, &error);
    REQUIRE(query_ != nullptr);
    for (const duckdb::Column& column : query_->columns) {
      types_.push_back(duckdb::NewType(duckdb::fake::FakeApi(), column));
    }
    rows_ = query_->Open(duckdb::fake::FakeApi(), {0, 1, 2}, &error);
    REQUIRE(rows_ != nullptr);
  }
  Taker(const Taker&) = delete;
  Taker& operator=(const Taker&) = delete;
  ~Taker() {
    for (duckdb::LogicalType& type : types_) {
      duckdb::fake::FakeApi().destroy_logical_type(&type);
    }
  }

  bool Next(std::vector<Row>* taken) {
    DataChunkHandle chunk;
    for (const duckdb::LogicalType type : types_) {
      chunk.vectors.push_back(
          std::make_unique<VectorHandle>(*type, duckdb::kVectorSize));
    }
    if (!rows_->Fill(&chunk, &error) || chunk.size == 0) return false;
    for (uint64_t i = 0; i < chunk.size; ++i) {
      Row row;
      for (const auto& vector : chunk.vectors) row.push_back(vector->Text(i));
      taken->push_back(std::move(row));
    }
    return true;
  }

  std::string error;

 private:
  std::unique_ptr<duckdb::Query> query_;
  std::vector<duckdb::LogicalType> types_;
  std::unique_ptr<duckdb::Rows> rows_;
};

TEST(AFailureWaitsUntilNobodyReads) {
  RowQueue queue(Columns());
  std::string error;
  std::unique_lock<std::mutex> read = queue.LockToRead(&error);
  REQUIRE(read.owns_lock());
  std::atomic<bool> failed = false;
  std::thread thread([&] {
    queue.Fail("");
    failed = true;
  });
  // From now on the failure is known, so `Fail` waits, or will.
  while (queue.Take(&error) != nullptr) {
  }
  CHECK(!failed);
  read.unlock();
  thread.join();
  read = queue.LockToRead(&error);
  CHECK(!read.owns_lock());
  CHECK(!error.empty());
}

TEST(AllRowsInOrder) {
  const auto queue = std::make_shared<RowQueue>(Columns());
  std::vector<Row> taken;
  std::thread thread([&] {
    Taker taker(queue);
    while (taker.Next(&taken)) {
    }
    CHECK(taker.error.empty());
  });
  size_t pushed = 0;
  for (size_t count = 1; count < 900; count += 31) {
    queue->Push(std::make_unique<Batch>(pushed, count));
    pushed += count;
    if (count % 5 == 0) std::this_thread::yield();
  }
  queue->End();
  thread.join();
  REQUIRE(taken.size() == pushed);
  for (size_t i = 0; i < pushed; ++i) CHECK(taken[i] == RowOf(i));
  CHECK(alive == 0);
}

TEST(FailureWakesTheTaker) {
  const auto queue = std::make_shared<RowQueue>(Columns());
  std::vector<Row> taken;
  std::string error;
  std::thread thread([&] {
    Taker taker(queue);
    while (taker.Next(&taken)) {
    }
    error = taker.error;
  });
  queue->Push(std::make_unique<Batch>(0, 5));
  queue->Fail("given up");
  queue->Fail("later");
  thread.join();
  CHECK(error == "given up");
  CHECK(taken.empty() || taken.size() == 5);
  queue->Push(std::make_unique<Batch>(5, 5));
  CHECK(alive == 0);
}

TEST(FailureInABatch) {
  const auto queue = std::make_shared<RowQueue>(Columns());
  queue->Push(std::make_unique<Batch>(0, 3 * duckdb::kVectorSize));
  queue->Push(std::make_unique<Batch>(0, 1));
  Taker taker(queue);
  std::vector<Row> taken;
  CHECK(taker.Next(&taken));
  CHECK(alive == 2);
  queue->Fail("given up");
  CHECK(!taker.Next(&taken));
  CHECK(taker.error == "given up");
  CHECK(taken.size() == duckdb::kVectorSize);
  CHECK(alive == 0);
}

TEST(EndWithoutRows) {
  const auto queue = std::make_shared<RowQueue>(Columns());
  queue->End();
  queue->Push(std::make_unique<Batch>(0, 1));
  Taker taker(queue);
  std::vector<Row> taken;
  CHECK(!taker.Next(&taken));
  CHECK(taker.error.empty());
}

}  // namespace
}  // namespace tfr::test
