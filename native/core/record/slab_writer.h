#ifndef TFR_CORE_RECORD_SLAB_WRITER_H_
#define TFR_CORE_RECORD_SLAB_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/base/thread_pool.h"
#include "core/io/byte_sink.h"
#include "core/record/slab_encoder.h"

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
/// The calls below may come from any one thread at a time and never block; the
/// callback of each runs on some pool thread, in the order of the calls, when
/// its work is done. It must not call the writer. The first fault sticks: all
/// later work has no effect and ends with that fault. Cancelled work (`token`)
/// ends with ECANCELED.
///
/// Objects keep themselves alive while work is pending. Destroyed without
/// `Close`, a writer abandons its sink.
class SlabWriter : public std::enable_shared_from_this<SlabWriter> {
 public:
  using Done = std::function<void(const WriteOutcome&)>;

  /// At most `threads` slabs are summed and compressed at a time. One more
  /// thread may be busy with output.
  SlabWriter(std::unique_ptr<SlabEncoder> encoder,
             std::unique_ptr<ByteSink> sink, int threads,
             std::shared_ptr<const CancelToken::Flag> parent,
             ThreadPool* pool = &ThreadPool::Shared());
  SlabWriter(const SlabWriter&) = delete;
  SlabWriter& operator=(const SlabWriter&) = delete;

  /// First call: opens the sink.
  void Start(Done done);
  /// `slab`'s memory belongs to the writer until `done`.
  void Push(const Slab& slab, Done done);
  /// What was pushed before is with the sink; with `sync`, on the disk.
  void Flush(bool sync, Done done);
  /// Ends the file and commits the sink, or, after a fault, abandons it.
  void Close(Done done);
  /// Cancels what is pending and abandons the sink. Has no fault.
  void Abort(Done done);

  CancelToken& token() { return token_; }

 private:
  enum class Kind : uint8_t { kStart, kPush, kFlush, kSync, kClose, kAbort };
  /// What an item still needs: preparing, then its turn; then its pieces are
  /// written, then the sink's part follows.
  enum class Phase : uint8_t { kPrepare, kTurn, kPieces, kLast };

  struct Item {
    Kind kind;
    Phase phase;
    Slab slab;
    Done done;
    std::unique_ptr<PreparedSlab> prepared;
    Fault fault;
  };

  void Enqueue(Kind kind, const Slab& slab, Done done);
  /// With the lock held: hands slabs within the window to the pool.
  void StartPreparing();
  /// With the lock held: true when the caller must run `Drain`.
  bool ClaimDrain();
  void Prepare(Item* item);
  /// Works off the items at the front of the queue. One thread at a time.
  void Drain();

  // The ordered phase's; each returns false when the sink must be waited for.
  bool Advance(Item* item);
  bool WritePieces();
  void Announce(Item* item);
  void Finish(Item* item);
  void Fail(const Fault& fault);

  const std::unique_ptr<SlabEncoder> encoder_;
  const std::unique_ptr<ByteSink> sink_;
  const int threads_;
  ThreadPool* const pool_;
  CancelToken token_;

  std::mutex mutex_;
  std::deque<std::unique_ptr<Item>> items_;
  /// Items before this one were looked at by `StartPreparing`.
  size_t next_ = 0;
  int preparing_ = 0;
  bool draining_ = false;

  // The ordered phase's.
  SlabEncoder::Piece piece_;
  Fault fault_;
  uint64_t file_bytes_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_SLAB_WRITER_H_
