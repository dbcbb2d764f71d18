#include "core/record/slab_reader.h"

#include <utility>

namespace tfr {

SlabReader::SlabReader(std::unique_ptr<ByteSource> source,
                       std::unique_ptr<Framer> framer,
                       const ReadOptions& options,
                       std::shared_ptr<const CancelToken::Flag> closing)
    : cancel_(std::move(closing)),
      stream_(std::move(source), std::move(framer), options) {}

void SlabReader::Fill(Request* request) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++under_way_;
    queue_.Push(request);
    if (std::exchange(turning_, true)) return;
  }
  PassTurn();
}

void SlabReader::PassTurn() {
  turn_.reader = shared_from_this();
  ThreadPool::Shared().Submit(&turn_);
}

/// Fills a slab, passes the turn on, and completes the slab concurrently with
/// the next fill. For compressed files, where filling takes long, keeps the
/// turn and lets other threads complete, so that filling never waits for a
/// thread to wake up.
void SlabReader::RunTurn() {
  for (;;) {
    Request* request;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      request = queue_.Pop();
    }
    FillSlab(request);
    request->Filled();
    const bool keep = request->fill.compression != Compression::kNone;
    bool more;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      more = turning_ = !queue_.empty();
    }
    if (!more || !keep) {
      if (more) PassTurn();
      return Complete(request);
    }
    request->reader_ = shared_from_this();
    ThreadPool::Shared().Submit(request);
  }
}

void SlabReader::FillSlab(Request* request) {
  if (cancel_.cancelled()) return;
  SlabFill& fill = request->fill;
  if (request->size < SlabStream::kLeastSlab &&
      !request->Grow(SlabStream::kLeastSlab)) {
    fill.outcome = FillOutcome::kGrow;
    fill.grow_to = SlabStream::kLeastSlab;
    return;
  }
  do {
    stream_.FillSlab(request->slab, request->size, cancel_, &fill);
  } while (fill.outcome == FillOutcome::kGrow && request->Grow(fill.grow_to));
}

void SlabReader::Complete(Request* request) {
  stream_.Complete(request->slab, cancel_, &request->fill);
  LinkedQueue<Closing> closed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--under_way_ == 0 && !closing_.empty()) {
      stream_.Close();
      closed = closing_.TakeAll();
    }
  }
  // After the last of these calls, the owner and memory that it lent to the
  // reader may be gone.
  request->Completed();
  while (Closing* const each = closed.Pop()) each->Closed();
}

bool SlabReader::FillNow(uint8_t* slab, size_t size, SlabFill* fill) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (under_way_ != 0) return false;
  }
  if (cancel_.cancelled()) return true;
  stream_.FillSlab(slab, size, cancel_, fill);
  stream_.Complete(slab, cancel_, fill);
  return true;
}

void SlabReader::Skip() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!turning_) stream_.Skip();
}

void SlabReader::Close(Closing* closing) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (under_way_ != 0) return closing_.Push(closing);
    stream_.Close();
  }
  closing->Closed();
}

}  // namespace tfr
