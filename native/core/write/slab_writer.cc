#include "core/write/slab_writer.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "core/crc32c/crc32c.h"
#include "core/write/frame_sums.h"

namespace tfr {
namespace {

/// Slabs prepared ahead of the output, beyond the number of threads. Limits the
/// memory of compressed data if the disk is the bottleneck.
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

void SlabWriter::Start(Call* call, uint64_t before) {
  before_ = before;
  Enqueue(Kind::kStart, {}, call);
}

void SlabWriter::Push(const Slab& slab, Call* call) {
  Enqueue(Kind::kPush, slab, call);
}

void SlabWriter::Flush(bool sync, Call* call) {
  Enqueue(sync ? Kind::kSync : Kind::kFlush, {}, call);
}

void SlabWriter::Close(Call* call) { Enqueue(Kind::kClose, {}, call); }

void SlabWriter::Abort(Call* call) {
  token_.Cancel();
  Enqueue(Kind::kAbort, {}, call);
}

void SlabWriter::Enqueue(Kind kind, const Slab& slab, Call* call) {
  call->kind = kind;
  call->phase = kind == Kind::kPush ? Phase::kPrepare : Phase::kTurn;
  call->slab = slab;
  bool drain = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    calls_.Push(call);
    if (next_ == nullptr) next_ = call;
    StartPreparing();
    drain = ClaimDrain();
  }
  if (drain) SubmitDrain();
}

void SlabWriter::SubmitDrain() {
  drain_.writer = shared_from_this();
  pool_->Submit(&drain_);
}

void SlabWriter::StartPreparing() {
  const size_t window = static_cast<size_t>(threads_) + kAhead;
  while (next_ != nullptr && looked_at_ < window && preparing_ < threads_) {
    Call* const call = std::exchange(next_, next_->next);
    ++looked_at_;
    if (call->phase != Phase::kPrepare) continue;
    ++preparing_;
    call->writer = shared_from_this();
    pool_->Submit(call);
  }
}

bool SlabWriter::ClaimDrain() {
  if (draining_ || calls_.empty()) return false;
  if (calls_.front()->phase == Phase::kPrepare) return false;
  draining_ = true;
  return true;
}

void SlabWriter::Prepare(Call* call) {
  if (token_.cancelled()) {
    call->fault = SystemFault(ECANCELED, "write");
  } else {
    try {
      call->fault = encoder_->Prepare(call->slab, token_, &call->prepared);
    } catch (const std::bad_alloc&) {
      call->fault = MemoryFault();
    }
  }
  bool drain = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    call->phase = Phase::kTurn;
    --preparing_;
    StartPreparing();
    drain = ClaimDrain();
  }
  // On this thread, whose cache holds the slab.
  if (drain) Drain();
}

void SlabWriter::Drain() {
  for (;;) {
    Call* call = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (calls_.empty() || calls_.front()->phase == Phase::kPrepare) {
        draining_ = false;
        return;
      }
      call = calls_.front();
    }
    if (!Advance(call)) {
      // `draining_` stays set until the sink is ready, so no other thread
      // drains.
      WaitForSink();
      return;
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      calls_.Pop();
      if (next_ == call) {
        next_ = call->next;
      } else {
        --looked_at_;
      }
      StartPreparing();
    }
    WriteOutcome outcome;
    outcome.fault = call->fault;
    outcome.file_bytes = file_bytes_;
    if (call->kind == Kind::kClose) {
      outcome.replaced_other = sink_->replaced_other();
      outcome.crc32c = crc32c_;
    }
    call->Done(outcome);
  }
}

/// Drains again when the sink is ready.
void SlabWriter::WaitForSink() {
  // The task keeps the writer alive, so the function need not, and copying it
  // allocates nothing.
  drain_.writer = shared_from_this();
  sink_->WhenReady(token_, [this] { pool_->Submit(&drain_); });
}

bool SlabWriter::Advance(Call* call) {
  try {
    return Step(call);
  } catch (const std::bad_alloc&) {
    Fail(MemoryFault());
    call->fault = fault_;
    return true;
  }
}

bool SlabWriter::Step(Call* call) {
  if (call->phase == Phase::kTurn) {
    if (!fault_) Announce(call);
    call->phase = Phase::kPieces;
  }
  if (call->phase == Phase::kPieces) {
    if (!fault_ && !WritePieces()) return false;
    call->phase = Phase::kLast;
  }
  if (!fault_ && call->kind == Kind::kStart) {
    const SinkStep step = sink_->Open();
    if (step.state == SinkStep::State::kFault) Fail(step.fault);
    if (step.state == SinkStep::State::kWait) {
      if (!token_.cancelled()) return false;
      Fail(SystemFault(ECANCELED, "open"));
    }
  }
  Finish(call);
  return true;
}

void SlabWriter::Announce(Call* call) {
  if (call->fault) return Fail(call->fault);
  switch (call->kind) {
    case Kind::kPush:
      encoder_->Add(call->slab, std::move(call->prepared));
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
      output_ = {};
      return;
  }
  output_ = {nullptr, 0, true};
}

bool SlabWriter::WritePieces() {
  for (;;) {
    if (token_.cancelled()) {
      Fail(SystemFault(ECANCELED, "write"));
      return true;
    }
    if (output_.size == 0) {
      if (!output_.more) {
        encoder_->Written();
        return true;
      }
      output_ = encoder_->Next(before_ + file_bytes_);
      Sum();
      continue;
    }
    const SinkStep step = sink_->Write(output_.data, output_.size);
    if (step.state == SinkStep::State::kWait) return false;
    if (step.state == SinkStep::State::kFault) {
      Fail(step.fault);
      return true;
    }
    output_.data += step.taken;
    output_.size -= step.taken;
    file_bytes_ += step.taken;
  }
}

/// Adds the output, which is about to be written, to the checksum. The write
/// then finds it in the cache.
void SlabWriter::Sum() {
  if (!crc32c_) return;
  const auto extend = output_.framed ? ExtendOverFrames : crc32c::Extend;
  crc32c_ = extend(*crc32c_, output_.data, output_.size);
}

void SlabWriter::Finish(Call* call) {
  if (call->kind == Kind::kSync && !fault_) {
    const Fault fault = sink_->Sync();
    if (fault) Fail(fault);
  }
  if (call->kind == Kind::kClose && !fault_) {
    const Fault fault = sink_->Commit();
    if (fault) Fail(fault);
  }
  if (call->kind == Kind::kAbort) {
    sink_->Abandon();
    return;
  }
  call->fault = fault_;
}

void SlabWriter::Fail(const Fault& fault) {
  fault_ = fault;
  output_ = {};
  // No output can follow: free the disk space now.
  sink_->Abandon();
}

}  // namespace tfr
