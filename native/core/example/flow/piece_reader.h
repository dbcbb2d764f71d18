#ifndef TFR_CORE_EXAMPLE_FLOW_PIECE_READER_H_
#define TFR_CORE_EXAMPLE_FLOW_PIECE_READER_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/buffers.h"
#include "core/base/linked_queue.h"
#include "core/base/thread_pool.h"
#include "core/example/flow/piece.h"
#include "core/example/parse/plan.h"
#include "core/record/slab_reader.h"

namespace tfr {

/// Reads records and parses them, on the threads of the pool: a window of slabs
/// that a SlabReader fills, and pieces that are parsed beside it. Pieces come
/// in the order of the requests. At most a few MiB of records are held at a
/// time, and never more slabs than requests can use.
class PieceReader : public std::enable_shared_from_this<PieceReader> {
 public:
  /// Asks for a piece.
  class Request : private ThreadPool::Task {
   public:
    /// `records`: 1 or more.
    explicit Request(size_t records) : records(records) {}
    /// On any thread; the reader does not touch the request again.
    virtual void Done() = 0;

    const size_t records;
    Piece piece;

   protected:
    ~Request() = default;

   private:
    friend class PieceReader;
    friend class LinkedQueue<Request>;
    /// Parses.
    void Run() noexcept override {
      std::exchange(reader_, nullptr)->RunParse(this);
    }

    Request* next = nullptr;
    /// While the pool has it.
    std::shared_ptr<PieceReader> reader_;
  };

  /// With `stop`, a piece ends before the first record at fault.
  PieceReader(std::unique_ptr<ByteSource> source, const ReadOptions& options,
              std::shared_ptr<const Plan> plan, bool stop,
              std::shared_ptr<const CancelToken::Flag> closing);

  /// A piece has as many records as were asked for, but for those at fault;
  /// fewer when they are more than 2 MiB, or when something else comes behind
  /// them (`Piece::outcome`). Behind kInput the next request tries again. Where
  /// memory runs out, that is the piece's halt.
  void Submit(Request* request);

  /// After a piece that was halted by a record too large: pass over it.
  void PassOver();
  /// Asks all work to end soon; what was asked for is done as kCancelled.
  void Cancel() { slab_reader_->Cancel(); }
  /// Closes the source when no thread has anything left to do.
  void Close(SlabReader::Closing* closing);

  /// What a piece holds serves again: its columns are not wanted any more.
  void Recycle(Piece* piece);

 private:
  /// Native memory with records in it, shared by the pieces they are parsed in.
  struct Slab final : SlabReader::Request {
    bool Grow(uint64_t bytes) override;
    void Filled() override { reader->NoteFilled(this); }
    void Completed() override {
      const std::shared_ptr<PieceReader> held = std::move(reader);
      held->RunCompleted(std::move(self));
    }

    size_t left() const { return records - taken; }

    ByteBuffer memory;
    /// The records may be parsed; `fill` does not change any more.
    bool complete = false;
    /// Number of the records, as far as it is known.
    size_t records = 0;
    /// Bytes of memory that the fill wanted.
    size_t bytes = 0;
    /// Records that were given to a piece.
    size_t taken = 0;
    /// Payload of those that were not; known when it is complete.
    size_t left_payload = 0;
    // While the fill is under way.
    std::shared_ptr<PieceReader> reader;
    std::shared_ptr<Slab> self;
  };

  // With the lock held:
  LinkedQueue<Request> Advance();
  bool BeginFill();
  bool MayFill() const;
  bool Stuck() const;
  bool FormPiece();
  std::shared_ptr<Slab> TakeSlab();
  std::unique_ptr<BatchParser> TakeParser();
  bool FitsBetter(const Slab& slab, const Slab& other) const;
  void FreeSpareSlabs(size_t keep);
  void FreeHeld();

  void NoteFilled(Slab* slab);
  void RunCompleted(std::shared_ptr<Slab> slab);
  void RunParse(Request* request);
  void SubmitParses(LinkedQueue<Request> formed);
  void Leave();

  const std::shared_ptr<const Plan> plan_;
  const bool stop_;
  const std::shared_ptr<SlabReader> slab_reader_;

  std::mutex mutex_;
  LinkedQueue<Request> requests_;
  size_t wanted_ = 0;
  /// In stream order; the last may still be on its way.
  std::deque<std::shared_ptr<Slab>> window_;
  /// Slabs that serve again once nobody else holds them.
  std::vector<std::shared_ptr<Slab>> pool_;
  std::vector<std::unique_ptr<BatchParser>> spare_parsers_;
  size_t spare_parser_bytes_ = 0;
  /// Memory that the last fill took, and the number of fills since then that
  /// took little.
  size_t last_fill_bytes_ = 0;
  size_t small_fills_ = 0;
  bool filling_ = false;
  /// The last slab says what comes instead of more.
  bool ended_ = false;
  /// Memory ran out where none can be done without: nothing comes any more.
  bool short_of_memory_ = false;
  /// Fills and parses under way, and calls.
  size_t away_ = 0;
  LinkedQueue<SlabReader::Closing> closing_;
  bool closed_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_FLOW_PIECE_READER_H_
