#ifndef TFR_CORE_WRITE_SLAB_WRITER_H_
#define TFR_CORE_WRITE_SLAB_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/base/linked_queue.h"
#include "core/base/thread_pool.h"
#include "core/io/byte_sink.h"
#include "core/write/slab_encoder.h"

namespace tfr {

/// Result of one call on a writer.
struct WriteOutcome {
  Fault fault;
  /// Bytes that the sink accepted so far.
  uint64_t file_bytes = 0;
  /// After a close: `ByteSink::replaced_other`.
  bool replaced_other = false;
  /// After a close: the CRC-32C of what was written, if `SumOutput` asked for
  /// it.
  std::optional<uint32_t> crc32c;
};

/// Writes slabs of records to a sink. Checksums and compression of several
/// slabs run in parallel on the pool; output and everything else run in the
/// order of the calls.
///
/// The calls below may come from any one thread at a time; they never block and
/// never fail. `Call::Done` of each runs on some pool thread, in the order of
/// the calls, when its work is done. The first fault, including lack of memory,
/// is sticky: later calls have no effect and end with that fault. Cancelled
/// work (`token`) ends with ECANCELED.
///
/// A writer keeps itself alive while work is pending. Destroying it without
/// `Close` abandons its sink.
class SlabWriter : public std::enable_shared_from_this<SlabWriter> {
 public:
  /// One call on a writer. The caller owns it; it must stay alive and in place
  /// until `Done`, so that calling allocates nothing.
  class Call : public ThreadPool::Task {
   public:
    Call() = default;
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    virtual ~Call() = default;

    /// The writer does not touch the call afterwards. Must not call the writer.
    virtual void Done(const WriteOutcome& outcome) noexcept = 0;

   private:
    friend class SlabWriter;
    friend class LinkedQueue<Call>;
    /// The next step of a call: prepare it, wait for its turn, write its
    /// output, do the sink's part.
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
    /// Set while the pool has the call.
    std::shared_ptr<SlabWriter> writer;
  };

  /// At most `threads` threads compute checksums and compress. One more may
  /// write output.
  SlabWriter(std::unique_ptr<SlabEncoder> encoder,
             std::unique_ptr<ByteSink> sink, int threads,
             std::shared_ptr<const CancelToken::Flag> parent,
             ThreadPool* pool = &ThreadPool::Shared());
  SlabWriter(const SlabWriter&) = delete;
  SlabWriter& operator=(const SlabWriter&) = delete;

  /// Computes the checksum of all that is written. Before the first call.
  void SumOutput() { crc32c_ = 0; }
  /// Opens the sink; must be the first call, unless the sink is memory and
  /// `before` is 0. `before`: bytes that the file has before the first that is
  /// written.
  void Start(Call* call, uint64_t before = 0);
  /// Writes `slab`; the writer owns its memory until `Done`.
  void Push(const Slab& slab, Call* call);
  /// Done once everything pushed before is written to the sink; with `sync`,
  /// synced to the disk.
  void Flush(bool sync, Call* call);
  /// Ends the file and commits the sink, or, after a fault, abandons it.
  void Close(Call* call);
  /// Cancels pending work and abandons the sink. Has no fault.
  void Abort(Call* call);

  CancelToken& token() { return token_; }

 private:
  using Kind = Call::Kind;
  using Phase = Call::Phase;

  /// Drains on a pool thread.
  struct DrainTask final : ThreadPool::Task {
    void Run() noexcept override { std::exchange(writer, nullptr)->Drain(); }
    std::shared_ptr<SlabWriter> writer;
  };

  void Enqueue(Kind kind, const Slab& slab, Call* call);
  void SubmitDrain();
  void WaitForSink();
  /// Submits slabs within the window to the pool. Requires the lock.
  void StartPreparing();
  /// True if the caller must run `Drain`. Requires the lock.
  bool ClaimDrain();
  void Prepare(Call* call);
  /// Finishes the calls at the front of the queue. One thread at a time.
  void Drain();

  // The ordered phase; functions that return bool return false if the sink must
  // be waited for.
  bool Advance(Call* call);
  bool Step(Call* call);
  bool WritePieces();
  void Sum();
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
  /// The first call that `StartPreparing` has not seen, or null; and the number
  /// of calls before it.
  Call* next_ = nullptr;
  size_t looked_at_ = 0;
  int preparing_ = 0;
  bool draining_ = false;
  /// Submitted while `draining_` is set and no thread drains.
  DrainTask drain_;

  // Used by the ordered phase.
  SlabEncoder::Output output_;
  Fault fault_;
  uint64_t before_ = 0;
  uint64_t file_bytes_ = 0;
  std::optional<uint32_t> crc32c_;
};

}  // namespace tfr

#endif  // TFR_CORE_WRITE_SLAB_WRITER_H_
