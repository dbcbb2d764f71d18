#include "core/record/slab_writer.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tfr {
namespace {

/// Slabs that may be prepared ahead of the output, beyond the threads: bounds
/// compressed memory when the disk is the slower one.
constexpr size_t kAhead = 2;

}  // namespace

SlabWriter::SlabWriter(std::unique_ptr<SlabEncoder> encoder,
                       std::unique_ptr<ByteSink> sink, int threads,
                       std::shared_ptr<const CancelToken::Flag> parent,
                       ThreadPool* pool)
    : encoder_(std::move(encoder)),
      sink_(std::move(sink)),
      threads_(std::max(threads, 1)),
      pool_(pool),
      token_(std::move(parent)) {}

void SlabWriter::Start(Done done) {
  Enqueue(Kind::kStart, {}, std::move(done));
}

void SlabWriter::Push(const Slab& slab, Done done) {
  Enqueue(Kind::kPush, slab, std::move(done));
}

void SlabWriter::Flush(bool sync, Done done) {
  Enqueue(sync ? Kind::kSync : Kind::kFlush, {}, std::move(done));
}

void SlabWriter::Close(Done done) {
  Enqueue(Kind::kClose, {}, std::move(done));
}

void SlabWriter::Abort(Done done) {
  token_.Cancel();
  Enqueue(Kind::kAbort, {}, std::move(done));
}

void SlabWriter::Enqueue(Kind kind, const Slab& slab, Done done) {
  auto item = std::make_unique<Item>();
  item->kind = kind;
  item->phase = kind == Kind::kPush ? Phase::kPrepare : Phase::kTurn;
  item->slab = slab;
  item->done = std::move(done);
  bool drain = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(std::move(item));
    StartPreparing();
    drain = ClaimDrain();
  }
  if (drain) {
    pool_->Submit([self = shared_from_this()] { self->Drain(); });
  }
}

void SlabWriter::StartPreparing() {
  const size_t window = static_cast<size_t>(threads_) + kAhead;
  while (next_ < items_.size() && next_ < window && preparing_ < threads_) {
    Item* const item = items_[next_++].get();
    if (item->phase != Phase::kPrepare) continue;
    ++preparing_;
    pool_->Submit([self = shared_from_this(), item] { self->Prepare(item); });
  }
}

bool SlabWriter::ClaimDrain() {
  if (draining_ || items_.empty()) return false;
  if (items_.front()->phase == Phase::kPrepare) return false;
  draining_ = true;
  return true;
}

void SlabWriter::Prepare(Item* item) {
  if (token_.cancelled()) {
    item->fault = SystemFault(ECANCELED, "write");
  } else {
    item->fault = encoder_->Prepare(item->slab, token_, &item->prepared);
  }
  bool drain = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    item->phase = Phase::kTurn;
    --preparing_;
    StartPreparing();
    drain = ClaimDrain();
  }
  // On this thread: the slab is in its cache.
  if (drain) Drain();
}

void SlabWriter::Drain() {
  for (;;) {
    Item* item = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (items_.empty() || items_.front()->phase == Phase::kPrepare) {
        draining_ = false;
        return;
      }
      item = items_.front().get();
    }
    if (!Advance(item)) {
      // The turn stays taken until then: nobody else drains.
      sink_->WhenReady(token_, [self = shared_from_this()] {
        self->pool_->Submit([self] { self->Drain(); });
      });
      return;
    }
    std::unique_ptr<Item> finished;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      finished = std::move(items_.front());
      items_.pop_front();
      if (next_ > 0) --next_;
      StartPreparing();
    }
    const bool replaced =
        finished->kind == Kind::kClose && sink_->replaced_other();
    finished->done({finished->fault, file_bytes_, replaced});
  }
}

bool SlabWriter::Advance(Item* item) {
  if (item->phase == Phase::kTurn) {
    if (!fault_) Announce(item);
    item->phase = Phase::kPieces;
  }
  if (item->phase == Phase::kPieces) {
    if (!fault_ && !WritePieces()) return false;
    item->phase = Phase::kLast;
  }
  if (!fault_ && item->kind == Kind::kStart) {
    const SinkStep step = sink_->Open();
    if (step.state == SinkStep::State::kFault) Fail(step.fault);
    if (step.state == SinkStep::State::kWait) {
      if (!token_.cancelled()) return false;
      Fail(SystemFault(ECANCELED, "open"));
    }
  }
  Finish(item);
  return true;
}

void SlabWriter::Announce(Item* item) {
  if (item->fault) return Fail(item->fault);
  switch (item->kind) {
    case Kind::kPush:
      encoder_->Add(item->slab, std::move(item->prepared));
      break;
    case Kind::kFlush:
    case Kind::kSync:
      encoder_->Flush();
      break;
    case Kind::kClose: {
      const Fault fault = encoder_->End();
      if (fault) return Fail(fault);
      break;
    }
    default:
      piece_ = {};
      return;
  }
  piece_ = {nullptr, 0, true};
}

bool SlabWriter::WritePieces() {
  for (;;) {
    if (token_.cancelled()) {
      Fail(SystemFault(ECANCELED, "write"));
      return true;
    }
    if (piece_.size == 0) {
      if (!piece_.more) return true;
      piece_ = encoder_->Next(file_bytes_);
      continue;
    }
    const SinkStep step = sink_->Write(piece_.data, piece_.size);
    if (step.state == SinkStep::State::kWait) return false;
    if (step.state == SinkStep::State::kFault) {
      Fail(step.fault);
      return true;
    }
    piece_.data += step.taken;
    piece_.size -= step.taken;
    file_bytes_ += step.taken;
  }
}

void SlabWriter::Finish(Item* item) {
  if (item->kind == Kind::kSync && !fault_) {
    const Fault fault = sink_->Sync();
    if (fault) Fail(fault);
  }
  if (item->kind == Kind::kClose && !fault_) {
    const Fault fault = sink_->Commit();
    if (fault) Fail(fault);
  }
  if (item->kind == Kind::kAbort) {
    sink_->Abandon();
    return;
  }
  item->fault = fault_;
}

void SlabWriter::Fail(const Fault& fault) {
  fault_ = fault;
  piece_ = {};
  // Nothing can follow: free the disk now.
  sink_->Abandon();
}

}  // namespace tfr
