#include "duckdb/pushed_rows.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tfr::duckdb {

void RowQueue::Push(std::unique_ptr<PushedBatch> batch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (ended_ || !failure_.empty() || batch->rows == 0) return;
  batches_.push_back(std::move(batch));
  arrived_.NotifyOne();
}

void RowQueue::End() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ended_ = true;
  arrived_.NotifyAll();
}

void RowQueue::Fail(const std::string& error) {
  std::deque<std::unique_ptr<PushedBatch>> dropped;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_.empty()) {
      failure_ = error.empty() ? "the rows are given up" : error;
      dropped.swap(batches_);
      arrived_.NotifyAll();
    }
  }
  const std::lock_guard<std::mutex> read(reading_);
}

std::unique_ptr<PushedBatch> RowQueue::Take(std::string* error) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (batches_.empty() && !ended_ && failure_.empty()) {
    arrived_.Wait(lock);
  }
  *error = failure_;
  if (batches_.empty()) return nullptr;
  std::unique_ptr<PushedBatch> batch = std::move(batches_.front());
  batches_.pop_front();
  return batch;
}

std::unique_lock<std::mutex> RowQueue::LockToRead(std::string* error) {
  std::unique_lock<std::mutex> read(reading_);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure_.empty()) return read;
  *error = failure_;
  return {};
}

namespace {

class PushedRows final : public Rows {
 public:
  PushedRows(const Api& api, std::vector<uint64_t> used,
             std::shared_ptr<RowQueue> queue)
      : api_(api), used_(std::move(used)), queue_(std::move(queue)) {}

  bool Fill(DataChunk chunk, std::string* error) override {
    if (batch_ == nullptr) {
      batch_ = queue_->Take(error);
      row_ = 0;
    }
    const size_t count = batch_ == nullptr ? 0 : Read(chunk, error);
    api_.data_chunk_set_size(chunk, count);
    row_ += count;
    if (batch_ != nullptr && (count == 0 || row_ == batch_->rows)) {
      batch_.reset();
    }
    return error->empty();
  }

 private:
  /// Copies the next rows of the batch. Returns their number; after a failure,
  /// sets `*error` and returns 0.
  size_t Read(DataChunk chunk, std::string* error) {
    const std::unique_lock<std::mutex> read = queue_->LockToRead(error);
    if (!read.owns_lock()) return 0;
    const size_t count =
        std::min<size_t>(api_.vector_size(), batch_->rows - row_);
    api_.data_chunk_set_size(chunk, count);
    for (size_t i = 0; i < used_.size(); ++i) {
      WriteColumn(api_, queue_->columns()[used_[i]], batch_->columns[used_[i]],
                  {row_, row_ + count}, api_.data_chunk_get_vector(chunk, i));
    }
    return count;
  }

  const Api& api_;
  const std::vector<uint64_t> used_;
  const std::shared_ptr<RowQueue> queue_;
  /// The batch whose rows from `row_` on are left. It has rows.
  std::unique_ptr<PushedBatch> batch_;
  size_t row_ = 0;
};

class PushedQuery final : public Query {
 public:
  explicit PushedQuery(std::shared_ptr<RowQueue> queue)
      : queue_(std::move(queue)) {
    columns = queue_->columns();
  }

  std::unique_ptr<Rows> Open(const Api& api, const std::vector<uint64_t>& used,
                             std::string* /*error*/) override {
    return std::make_unique<PushedRows>(api, used, queue_);
  }

 private:
  const std::shared_ptr<RowQueue> queue_;
};

class PushedHost final : public Host {
 public:
  explicit PushedHost(std::shared_ptr<RowQueue> queue)
      : queue_(std::move(queue)) {}

  std::unique_ptr<Query> Bind(const Arguments& /*arguments*/,
                              std::string* /*error*/) override {
    return std::make_unique<PushedQuery>(queue_);
  }

 private:
  const std::shared_ptr<RowQueue> queue_;
};

}  // namespace

std::shared_ptr<Host> NewPushedHost(std::shared_ptr<RowQueue> queue) {
  return std::make_shared<PushedHost>(std::move(queue));
}

}  // namespace tfr::duckdb
