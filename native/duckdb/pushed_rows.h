#ifndef TFR_DUCKDB_PUSHED_ROWS_H_
#define TFR_DUCKDB_PUSHED_ROWS_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/condition.h"
#include "duckdb/host.h"
#include "duckdb/write_column.h"

namespace tfr::duckdb {

/// Some rows. The destructor releases their memory; it may run on any thread.
class PushedBatch {
 public:
  virtual ~PushedBatch() = default;

  size_t rows = 0;
  /// One for each column of the queue.
  std::vector<ColumnView> columns;
};

/// Batches that one thread pushes, and DuckDB's thread waits for. Any thread
/// may call any function.
class RowQueue {
 public:
  explicit RowQueue(std::vector<Column> columns)
      : columns_(std::move(columns)) {}

  const std::vector<Column>& columns() const { return columns_; }

  /// Drops a batch without rows, and any after the end or a failure. Throws
  /// std::bad_alloc.
  void Push(std::unique_ptr<PushedBatch> batch);
  /// No more batches follow.
  void End();
  /// Makes the query fail with `error`, a text. Only the first call has an
  /// effect, but after any of them nobody reads the memory of a batch.
  void Fail(const std::string& error);

  /// Waits for the next batch, and returns it; null at the end, or, with
  /// `*error` set, after a failure.
  std::unique_ptr<PushedBatch> Take(std::string* error);
  /// Returns a lock that the thread which reads a batch holds meanwhile. After
  /// a failure, sets `*error`, and the lock holds nothing.
  [[nodiscard]] std::unique_lock<std::mutex> LockToRead(std::string* error);

 private:
  const std::vector<Column> columns_;
  std::mutex mutex_;
  Condition arrived_;
  std::deque<std::unique_ptr<PushedBatch>> batches_;
  bool ended_ = false;
  /// Empty unless the query fails.
  std::string failure_;
  /// Held while a batch is read. Never locked while `mutex_` is.
  std::mutex reading_;
};

/// The host of a table function without parameters that gives the rows of
/// `queue`, to one pass of one query.
std::shared_ptr<Host> NewPushedHost(std::shared_ptr<RowQueue> queue);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_PUSHED_ROWS_H_
