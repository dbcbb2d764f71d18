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

/// Reads one file into slabs, on the threads of the pool. One thread at a time
/// has the turn and fills slabs, in the order of their requests; each slab is
/// completed beside the fills behind it. Handing work over takes no memory.
///
/// Make it with `std::make_shared`: it keeps itself while threads need it.
class SlabReader : public std::enable_shared_from_this<SlabReader> {
 public:
  /// A slab to fill. It stays where it is until `Completed`.
  class Request : private ThreadPool::Task {
   public:
    Request() = default;
    Request(uint8_t* slab, size_t size) : slab(slab), size(size) {}
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    /// In the turn: the next record needs a slab of `bytes`, or there is none
    /// yet. True if `slab` and `size` now name one; false ends as kGrow.
    virtual bool Grow(uint64_t /*bytes*/) { return false; }
    /// In the turn, behind the fill: may ask for the next one. What the fill
    /// says may still change until `Completed`.
    virtual void Filled() {}
    /// On any thread; the reader does not touch the request again.
    virtual void Completed() = 0;

    /// Less than 4 GiB.
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
    /// While the pool has it.
    std::shared_ptr<SlabReader> reader_;
  };

  /// Waits for the end of a reader.
  class Closing {
   public:
    /// On any thread; the reader does not touch it again.
    virtual void Closed() = 0;

    Closing* next = nullptr;

   protected:
    ~Closing() = default;
  };

  SlabReader(std::unique_ptr<ByteSource> source, std::unique_ptr<Framer> framer,
             const ReadOptions& options,
             std::shared_ptr<const CancelToken::Flag> closing);

  /// First in, first out. Never blocks.
  void Fill(Request* request);

  /// Fills and completes on the calling thread. False while requests are under
  /// way: then nothing happened.
  [[nodiscard]] bool FillNow(uint8_t* slab, size_t size, SlabFill* fill);

  /// After a halt with kRecordTooLarge, no request under way: lets the next
  /// fill pass over that record.
  void PassOver();

  /// Asks all work to end soon, as kCancelled.
  void Cancel() { cancel_.Cancel(); }

  /// Closes the source as soon as no request is under way; if none is, at once
  /// and on this thread.
  void Close(Closing* closing);

 private:
  /// Has a thread of the pool take the turn.
  struct Turn final : ThreadPool::Task {
    void Run() noexcept override { std::exchange(reader, nullptr)->RunTurn(); }
    std::shared_ptr<SlabReader> reader;
  };

  void PassTurn();
  void RunTurn();
  void FillSlab(Request* request);
  void Complete(Request* request);

  CancelToken cancel_;
  /// Touched by the thread that has the turn, or, where none has, under the
  /// lock. (`Complete` of it is const.)
  SlabStream stream_;

  std::mutex mutex_;
  LinkedQueue<Request> queue_;
  /// Somebody has the turn, or `turn_` is on its way to the pool.
  bool turning_ = false;
  Turn turn_;
  /// Requests that are not completed.
  size_t under_way_ = 0;
  LinkedQueue<Closing> closing_;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_SLAB_READER_H_
