#ifndef TFR_CORE_RECORD_SLAB_READER_H_
#define TFR_CORE_RECORD_SLAB_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/cancel.h"
#include "core/base/linked_queue.h"
#include "core/base/thread_pool.h"
#include "core/record/slab_stream.h"

namespace tfr {

/// Reads one file into slabs, on pool threads. The thread that holds the turn
/// fills slabs, in the order of their requests; a slab is completed
/// concurrently with later fills. Handing work over allocates nothing.
///
/// Create it with `std::make_shared`: it keeps itself alive while threads use
/// it.
class SlabReader : public std::enable_shared_from_this<SlabReader> {
 public:
  /// A slab to fill. It must stay alive and in place until `Completed`.
  class Request : private ThreadPool::Task {
   public:
    Request() = default;
    Request(uint8_t* slab, size_t size) : slab(slab), size(size) {}
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    /// Called in the turn: the next record needs a slab of `bytes`, or the
    /// request has no slab yet. Returns true if `slab` and `size` now describe
    /// one; false ends the fill as kGrow.
    virtual bool Grow(uint64_t /*bytes*/) { return false; }
    /// Called in the turn, after the fill; may submit the next one. `fill` may
    /// still change until `Completed`.
    virtual void Filled() {}
    /// Called on any thread; the reader does not touch the request afterwards.
    virtual void Completed() = 0;

    /// `size` is less than 4 GiB.
    uint8_t* slab = nullptr;
    size_t size = 0;
    SlabFill fill;

   protected:
    ~Request() = default;

   private:
    friend class SlabReader;
    friend class LinkedQueue<Request>;
    /// Completes the fill.
    void Run() noexcept override {
      std::exchange(reader_, nullptr)->Complete(this);
    }

    Request* next = nullptr;
    /// Set while the pool has the request.
    std::shared_ptr<SlabReader> reader_;
  };

  /// Receives the end of a reader.
  class Closing {
   public:
    /// Called on any thread; the reader does not touch this object afterwards.
    virtual void Closed() = 0;

    Closing* next = nullptr;

   protected:
    ~Closing() = default;
  };

  SlabReader(std::unique_ptr<ByteSource> source, std::unique_ptr<Framer> framer,
             const ReadOptions& options,
             std::shared_ptr<const CancelToken::Flag> closing);

  /// Queues a request; first in, first out. Never blocks.
  void Fill(Request* request);

  /// Fills and completes on the calling thread. Returns false, with no effect,
  /// while requests are in progress.
  [[nodiscard]] bool FillNow(uint8_t* slab, size_t size, SlabFill* fill);

  /// As `SlabStream::Skip`. Call it while no request is in progress.
  void Skip();

  /// Requests that all work end soon, as kCancelled.
  void Cancel() { cancel_.Cancel(); }

  /// Closes the source once no request is in progress; if none is, at once and
  /// on this thread.
  void Close(Closing* closing);

 private:
  /// Runs the turn on a pool thread.
  struct Turn final : ThreadPool::Task {
    void Run() noexcept override { std::exchange(reader, nullptr)->RunTurn(); }
    std::shared_ptr<SlabReader> reader;
  };

  void PassTurn();
  void RunTurn();
  void FillSlab(Request* request);
  void Complete(Request* request);

  CancelToken cancel_;
  /// Accessed by the thread that holds the turn, or under the lock while none
  /// does. (`SlabStream::Complete` is const.)
  SlabStream stream_;

  std::mutex mutex_;
  LinkedQueue<Request> queue_;
  /// A thread holds the turn, or `turn_` is submitted to the pool.
  bool turning_ = false;
  Turn turn_;
  /// Number of requests not yet completed.
  size_t under_way_ = 0;
  LinkedQueue<Closing> closing_;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_SLAB_READER_H_
