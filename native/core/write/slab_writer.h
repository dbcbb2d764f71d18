#ifndef TFR_CORE_WRITE_SLAB_WRITER_H_
#define TFR_CORE_WRITE_SLAB_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/base/linked_queue.h"
#include "core/base/thread_pool.h"
#include "core/io/byte_sink.h"
#include "core/write/slab_encoder.h"

namespace tfr {

/// What became of one call on a writer.
struct WriteOutcome {
  Fault fault;
  /// Bytes that the sink has taken so far.
  uint64_t file_bytes = 0;
  /// After a close: `ByteSink::replaced_other`.
  bool replaced_other = false;
};

/// Writes slabs of records to a sink: checksums and compression of several
/// slabs run side by side on the pool, output and everything else runs in the
/// order of the calls.
///
/// The calls below may come from any one thread at a time, never block and
/// never fail; `Call::Done` of each runs on some pool thread, in the order of
/// the calls, when its work is done. The first fault sticks, lack of memory
/// among them: all later work has no effect and ends with that fault. Cancelled
/// work (`token`) ends with ECANCELED.
///
/// Objects keep themselves alive while work is pending. Destroyed without
/// `Close`, a writer abandons its sink.
class SlabWriter : public std::enable_shared_from_this<SlabWriter> {
 public:
  /// One call on a writer. It belongs to the caller and stays where it is until
  /// `Done`, so that calling takes no memory.
  class Call : public ThreadPool::Task {
   public:
    Call() = default;
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    virtual ~Call() = default;

    /// The writer does not touch this call again. Must not call the writer.
    virtual void Done(const WriteOutcome& outcome) noexcept = 0;

   private:
    friend class SlabWriter;
    friend class LinkedQueue<Call>;
    /// The next step of a call: it is prepared, waits for its turn, has its
    /// pieces written, and ends with the sink's part.
    enum class Phase : uint8_t { kPrepare, kTurn, kPieces, kLast };
    enum class Kind : uint8_t { kStart, kPush, kFlush, kSync, kClose, kAbort };

    void Run() noexcept override {
      std::exchange(writer, nullptr)->Prepare(this);
    }

    Call* next = nullptr;
    Kind kind = Kind::kStart;
    Phase phase = Phase::kTurn;
    Slab slab;
    std::unique_ptr<PreparedSlab> prepared;
    Fault fault;
    /// While the pool has it.
    std::shared_ptr<SlabWriter> writer;
  };

  /// At most `threads` slabs are summed and compressed at a time. One more
  /// thread may be busy with output.
  SlabWriter(std::unique_ptr<SlabEncoder> encoder,
             std::unique_ptr<ByteSink> sink, int threads,
             std::shared_ptr<const CancelToken::Flag> parent,
             ThreadPool* pool = &ThreadPool::Shared());
  SlabWriter(const SlabWriter&) = delete;
  SlabWriter& operator=(const SlabWriter&) = delete;

  /// First call: opens the sink.
  void Start(Call* call);
  /// `slab`'s memory belongs to the writer until `Done`.
  void Push(const Slab& slab, Call* call);
  /// What was pushed before is with the sink; with `sync`, on the disk.
  void Flush(bool sync, Call* call);
  /// Ends the file and commits the sink, or, after a fault, abandons it.
  void Close(Call* call);
  /// Cancels what is pending and abandons the sink. Has no fault.
  void Abort(Call* call);

  CancelToken& token() { return token_; }

 private:
  using Kind = Call::Kind;
  using Phase = Call::Phase;

  /// Has a thread of the pool drain.
  struct DrainTask final : ThreadPool::Task {
    void Run() noexcept override { std::exchange(writer, nullptr)->Drain(); }
    std::shared_ptr<SlabWriter> writer;
  };

  void Enqueue(Kind kind, const Slab& slab, Call* call);
  void SubmitDrain();
  void WaitForSink();
  /// With the lock held: hands slabs within the window to the pool.
  void StartPreparing();
  /// With the lock held: true when the caller must run `Drain`.
  bool ClaimDrain();
  void Prepare(Call* call);
  /// Works off the calls at the front of the queue. One thread at a time.
  void Drain();

  // The ordered phase's; each returns false when the sink must be waited for.
  bool Advance(Call* call);
  bool Step(Call* call);
  bool WritePieces();
  void Announce(Call* call);
  void Finish(Call* call);
  void Fail(const Fault& fault);

  const std::unique_ptr<SlabEncoder> encoder_;
  const std::unique_ptr<ByteSink> sink_;
  const int threads_;
  ThreadPool* const pool_;
  CancelToken token_;

  std::mutex mutex_;
  LinkedQueue<Call> calls_;
  /// The first one that `StartPreparing` has not looked at, null when there is
  /// none, and the number of those before it.
  Call* next_ = nullptr;
  size_t looked_at_ = 0;
  int preparing_ = 0;
  bool draining_ = false;
  /// Away while `draining_` and nobody runs.
  DrainTask drain_;

  // The ordered phase's.
  SlabEncoder::Output output_;
  Fault fault_;
  uint64_t file_bytes_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_WRITE_SLAB_WRITER_H_
