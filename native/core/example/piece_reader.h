#ifndef TFR_CORE_EXAMPLE_PIECE_READER_H_
#define TFR_CORE_EXAMPLE_PIECE_READER_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/linked_queue.h"
#include "core/base/thread_pool.h"
#include "core/example/piece.h"
#include "core/example/plan.h"
#include "core/record/record_stream.h"

namespace tfr {

/// Reads a RecordStream and parses what comes, on the threads of the pool: one
/// thread at a time fills the next block, and every other checks blocks and
/// parses pieces beside it. Pieces come in the order of the requests. At most a
/// few MiB of records are held at a time, and never more blocks than requests
/// can use.
class PieceReader : public std::enable_shared_from_this<PieceReader> {
 public:
  /// Asks for a piece, or, with `records` 0, for the end of the flow: that one
  /// is done when no thread has anything left to do and the source is closed.
  class Request : public ThreadPool::Task {
   public:
    explicit Request(size_t records) : records(records) {}
    virtual ~Request() = default;
    /// On any thread; the flow does not touch the request again.
    virtual void Done() = 0;

    const size_t records;
    Piece piece;

   private:
    friend class PieceReader;
    friend class LinkedQueue<Request>;
    /// Parses.
    void Run() noexcept override {
      std::exchange(flow, nullptr)->RunParse(this);
    }

    Request* next = nullptr;
    /// While the pool has it.
    std::shared_ptr<PieceReader> flow;
  };

  /// With `stop`, a piece ends before the first record at fault.
  PieceReader(std::unique_ptr<ByteSource> source,
              const RecordStreamOptions& options,
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
  void Cancel() { cancel_.Cancel(); }

  /// What a piece holds serves again: its columns are not wanted any more.
  void Recycle(Piece* piece);

 private:
  /// A block on its way through the two steps of reading.
  struct Reading final : Block, ThreadPool::Task {
    /// Has a thread of the pool take `step`.
    static void Submit(const std::shared_ptr<Reading>& block,
                       std::shared_ptr<PieceReader> flow,
                       void (PieceReader::*step)(std::shared_ptr<Reading>)) {
      block->flow = std::move(flow);
      block->self = block;
      block->step = step;
      ThreadPool::Shared().Submit(block.get());
    }
    void Run() noexcept override {
      const std::shared_ptr<PieceReader> held = std::move(flow);
      (held.get()->*step)(std::move(self));
    }

    // While the pool has it.
    std::shared_ptr<PieceReader> flow;
    std::shared_ptr<Reading> self;
    void (PieceReader::*step)(std::shared_ptr<Reading>) = nullptr;
  };

  // With the lock held:
  LinkedQueue<Request> Advance();
  std::shared_ptr<Reading> BeginFill();
  bool MayFill() const;
  bool Stuck() const;
  bool FormPiece();
  std::shared_ptr<Reading> TakeBlock();
  std::unique_ptr<BatchParser> TakeParser();
  bool FitsBetter(const Block& block, const Block& other) const;
  static void Note(Block* block);
  void NoteFill(Block* block, size_t bytes);
  void FreeSpareBlocks(size_t keep);
  void FreeHeld();

  // Tasks:
  void RunFill(std::shared_ptr<Reading> block);
  void RunComplete(std::shared_ptr<Reading> block);
  void RunParse(Request* request);
  void SubmitParses(LinkedQueue<Request> formed);
  size_t FillBlock(Block* block);
  void Leave();

  const std::shared_ptr<const Plan> plan_;
  const bool stop_;
  CancelToken cancel_;
  /// Touched by the thread that fills, or when none does.
  RecordStream stream_;

  std::mutex mutex_;
  LinkedQueue<Request> requests_;
  size_t wanted_ = 0;
  /// In stream order; the last may still be on its way.
  std::deque<std::shared_ptr<Reading>> blocks_;
  /// Blocks that serve again once nobody else holds them.
  std::vector<std::shared_ptr<Reading>> pool_;
  std::vector<std::unique_ptr<BatchParser>> spare_parsers_;
  size_t spare_parser_bytes_ = 0;
  /// Memory that the last fill took, and the number of fills since then that
  /// took little.
  size_t last_fill_bytes_ = 0;
  size_t small_fills_ = 0;
  bool filling_ = false;
  /// The last block says what comes instead of more.
  bool ended_ = false;
  /// Memory ran out where none can be done without: nothing comes any more.
  bool short_of_memory_ = false;
  /// Tasks that run or wait for a thread.
  size_t away_ = 0;
  LinkedQueue<Request> closing_;
  bool closed_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PIECE_READER_H_
