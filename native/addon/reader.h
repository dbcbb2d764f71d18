#ifndef TFR_ADDON_READER_H_
#define TFR_ADDON_READER_H_

#include <memory>
#include <mutex>
#include <utility>

#include "addon/env_state.h"
#include "addon/job.h"
#include "core/base/cancel.h"
#include "core/base/linked_queue.h"
#include "core/base/thread_pool.h"
#include "core/io/fed_source.h"
#include "core/record/record_stream.h"

namespace tfr::addon {

/// One reading of one file: a RecordStream whose fills run on the pool in the
/// order of their submission, the check of each slab beside the next fill.
class Reader : public std::enable_shared_from_this<Reader> {
 public:
  static constexpr napi_type_tag kTag = {0x7f0e5a5d6a1b4c01,
                                         0x9c1d2e3f40516273};

  /// A job of this reader: fills `slab`, or, where there is none, closes.
  class Work;

  Reader(EnvState* env, std::unique_ptr<ByteSource> source, FedSource* fed,
         const RecordStreamOptions& options);

  /// JavaScript thread, job begun.
  void Submit(Work* work);
  /// JavaScript thread. False while jobs are away: then nothing happened.
  [[nodiscard]] bool FillNow(uint8_t* slab, size_t size, Fill* fill);
  /// JavaScript thread. False when memory ran out, or this reader is not fed.
  [[nodiscard]] bool Feed(const uint8_t* data, size_t size, bool last);
  /// JavaScript thread, no fill pending.
  void PassOver();
  /// Asks all work to end soon.
  void Cancel() { cancel_.Cancel(); }
  /// The handle is gone: nobody can ask for anything any more.
  void Abandon() { Cancel(); }

 private:
  /// Has a thread of the pool take the turn.
  struct Turn final : ThreadPool::Task {
    void Run() noexcept override { std::exchange(reader, nullptr)->RunNext(); }
    std::shared_ptr<Reader> reader;
  };

  void PassTurn();
  void RunNext();
  void Complete(Work* work);
  void Finish(Work* work);

  EnvState* const env_;
  CancelToken cancel_;
  FedSource* const fed_;
  /// Touched by the thread that holds the turn (`busy_`), or by the JavaScript
  /// thread when nobody does.
  RecordStream stream_;

  std::mutex mutex_;
  LinkedQueue<Work> queue_;
  bool busy_ = false;
  /// Away while `busy_` and nobody runs.
  Turn turn_;
  /// Fills whose slabs threads still look at.
  size_t away_ = 0;
  /// Closes that wait for them.
  LinkedQueue<Work> closing_;
};

class Reader::Work final : public Job, public ThreadPool::Task {
 public:
  Work(uint8_t* slab, size_t size) : slab(slab), size(size) {}
  Napi::Value Finish(Napi::Env env) override;
  /// Completes the fill.
  void Run() noexcept override {
    std::exchange(reader, nullptr)->Complete(this);
  }

  Work* next = nullptr;
  /// While the pool has it.
  std::shared_ptr<Reader> reader;
  uint8_t* const slab;
  const size_t size;
  Fill fill;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_READER_H_
