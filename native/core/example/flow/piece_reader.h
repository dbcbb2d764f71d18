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
#include "core/example/parse/plan/plan.h"
#include "core/record/reader_spec.h"

namespace tfr {

/// Reads and parses records on pool threads: a SlabReader fills a window of
/// slabs while pieces are parsed. Pieces come in the order of the requests.
/// Holds only a few MiB of records at a time, and no more slabs than the
/// requests need.
class PieceReader : public std::enable_shared_from_this<PieceReader> {
 public:
  /// Requests one piece.
  class Request : private ThreadPool::Task {
   public:
    /// `records`: at least 1.
    explicit Request(size_t records) : records(records) {}
    /// Called on any thread; the reader does not touch the request afterwards.
    virtual void Done() = 0;

    const size_t records;
    Piece piece;

   protected:
    ~Request() = default;

   private:
    friend class PieceReader;
    friend class LinkedQueue<Request>;
    /// Parses the piece.
    void Run() noexcept override {
      std::exchange(reader_, nullptr)->RunParse(this);
    }

    Request* next = nullptr;
    /// Set while the pool has the request.
    std::shared_ptr<PieceReader> reader_;
  };

  /// Unless `spec.continues`, a piece ends before the first faulty record.
  PieceReader(std::unique_ptr<ByteSource> source, const ReaderSpec& spec,
              std::shared_ptr<const Plan> plan,
              std::shared_ptr<const CancelToken::Flag> closing);

  /// A piece has the requested number of records, faulty ones included. It has
  /// fewer if it reaches 2 MiB, or if the stream stops (`Piece::outcome`).
  /// After kInput, the next request tries again. If memory runs out, the piece
  /// is halted.
  void Submit(Request* request);

  /// As `SlabReader::Skip`, after a piece with a halt.
  void Skip();
  /// Requests that all work end soon; pending requests complete as kCancelled.
  void Cancel() { slab_reader_->Cancel(); }
  /// Closes the source once all work is done.
  void Close(SlabReader::Closing* closing);

  /// Takes back the memory of a piece whose columns are no longer needed.
  void Recycle(Piece* piece);

 private:
  /// A slab of native memory, shared by the pieces parsed from it.
  struct Slab final : SlabReader::Request {
    bool Grow(uint64_t bytes) override;
    void Filled() override { reader->NoteFilled(this); }
    void Completed() override {
      const std::shared_ptr<PieceReader> held = std::move(reader);
      held->RunCompleted(std::move(self));
    }

    size_t left() const { return records - taken; }

    ByteBuffer memory;
    /// The records may be parsed; `fill` no longer changes.
    bool complete = false;
    /// Number of records found so far.
    size_t records = 0;
    /// Memory that the fill needed.
    size_t bytes = 0;
    /// Number of records already assigned to a piece.
    size_t taken = 0;
    /// Payload of the others; known once the fill is complete.
    size_t left_payload = 0;
    // Set while the fill is in progress.
    std::shared_ptr<PieceReader> reader;
    std::shared_ptr<Slab> self;
  };

  // Require the lock:
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
  /// In stream order; the last one may still be filling.
  std::deque<std::shared_ptr<Slab>> window_;
  /// Slabs to reuse once nothing else holds them.
  std::vector<std::shared_ptr<Slab>> pool_;
  std::vector<std::unique_ptr<BatchParser>> spare_parsers_;
  size_t spare_parser_bytes_ = 0;
  /// Size of the last fill, and the number of small fills since the last large
  /// one.
  size_t last_fill_bytes_ = 0;
  size_t small_fills_ = 0;
  bool filling_ = false;
  /// The last slab in the window ends the stream, or halts it.
  bool ended_ = false;
  /// An indispensable allocation failed: all requests are halted.
  bool short_of_memory_ = false;
  /// Number of fills, parses and calls in progress.
  size_t away_ = 0;
  LinkedQueue<SlabReader::Closing> closing_;
  bool closed_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_FLOW_PIECE_READER_H_
