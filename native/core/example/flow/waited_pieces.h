#ifndef TFR_CORE_EXAMPLE_FLOW_WAITED_PIECES_H_
#define TFR_CORE_EXAMPLE_FLOW_WAITED_PIECES_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/condition.h"
#include "core/example/flow/piece_reader.h"

namespace tfr {

/// Requests whose pieces the calling thread waits for, in order. Used by one
/// thread at a time.
class WaitedPieces {
 public:
  WaitedPieces() = default;
  WaitedPieces(const WaitedPieces&) = delete;
  WaitedPieces& operator=(const WaitedPieces&) = delete;
  /// The reader must have been cancelled, if requests are left.
  ~WaitedPieces() { Finish(); }

  bool empty() const { return requests_.empty(); }
  size_t size() const { return requests_.size(); }

  /// `finds_events`: see `Piece`.
  void Submit(PieceReader* reader, size_t records, bool finds_events = false) {
    requests_.push_back(std::make_unique<Request>(this, records));
    requests_.back()->piece.finds_events = finds_events;
    reader->Submit(requests_.back().get());
  }

  /// Waits for the oldest request, and returns its piece.
  Piece Take() {
    Wait();
    Piece piece = std::move(requests_.front()->piece);
    requests_.pop_front();
    return piece;
  }

  /// Waits for all requests, and frees their pieces.
  void Finish() {
    while (!empty()) Take();
  }

 private:
  class Request final : public PieceReader::Request {
   public:
    Request(WaitedPieces* owner, size_t records)
        : PieceReader::Request(records), owner_(owner) {}

    void Done() override {
      const std::lock_guard<std::mutex> lock(owner_->mutex_);
      done = true;
      // With the lock: the owner may be destroyed as soon as it is released.
      owner_->arrived_.NotifyOne();
    }

    bool done = false;

   private:
    WaitedPieces* const owner_;
  };

  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!requests_.front()->done) arrived_.Wait(lock);
  }

  std::mutex mutex_;
  Condition arrived_;
  /// Only the waiting thread changes the queue.
  std::deque<std::unique_ptr<Request>> requests_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_FLOW_WAITED_PIECES_H_
