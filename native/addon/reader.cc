#include "addon/reader.h"

#include <utility>

#include "addon/fill_value.h"

namespace tfr::addon {

Reader::Reader(EnvState* env, std::unique_ptr<ByteSource> source,
               FedSource* fed, const RecordStreamOptions& options)
    : env_(env),
      cancel_(env->closing()),
      fed_(fed),
      stream_(std::move(source), options) {}

void Reader::Submit(Work* work) {
  bool idle_close;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    idle_close = work->slab == nullptr && !busy_ && away_ == 0;
    // No thread is needed, and who closes a synchronous reading cannot wait.
    if (idle_close) {
      stream_.Close();
    } else {
      queue_.Push(work);
      if (busy_) return;
      busy_ = true;
    }
  }
  if (idle_close) return env_->Done(work);
  PassTurn();
}

void Reader::PassTurn() {
  turn_.reader = shared_from_this();
  ThreadPool::Shared().Submit(&turn_);
}

/// Takes the turn: fills a slab, passes the turn on, and then checks the slab
/// while the next one is being filled. Where inflating takes long, it keeps the
/// turn, and others check: waking them costs nobody time then.
void Reader::RunNext() {
  for (;;) {
    Work* work;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      work = queue_.Pop();
      ++away_;
    }
    if (work->slab != nullptr && !cancel_.cancelled()) {
      stream_.FillSlab(work->slab, work->size, cancel_, &work->fill);
    }
    const bool keep = work->fill.compression != Compression::kNone;
    bool more;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      more = busy_ = !queue_.empty();
    }
    if (!more || !keep) {
      if (more) PassTurn();
      return Complete(work);
    }
    work->reader = shared_from_this();
    ThreadPool::Shared().Submit(work);
  }
}

void Reader::Complete(Work* work) {
  if (work->slab != nullptr) {
    stream_.Complete(work->slab, cancel_, &work->fill);
  }
  Finish(work);
}

void Reader::Finish(Work* work) {
  LinkedQueue<Work> closed;
  const bool filled = work->slab != nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!filled) closing_.Push(work);
    if (--away_ == 0 && queue_.empty() && !closing_.empty()) {
      stream_.Close();
      closed = closing_.TakeAll();
    }
  }
  // After the last `Done` the environment may go away: nothing of it is touched
  // behind these lines.
  if (filled) env_->Done(work);
  while (Work* const each = closed.Pop()) env_->Done(each);
}

bool Reader::FillNow(uint8_t* slab, size_t size, Fill* fill) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (busy_ || away_ != 0) return false;
  }
  if (cancel_.cancelled()) return true;
  stream_.FillSlab(slab, size, cancel_, fill);
  stream_.Complete(slab, cancel_, fill);
  return true;
}

bool Reader::Feed(const uint8_t* data, size_t size, bool last) {
  return fed_ != nullptr && fed_->Feed(data, size, last);
}

void Reader::PassOver() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!busy_) stream_.PassOver();
}

Napi::Value Reader::Work::Finish(Napi::Env env) {
  return slab == nullptr ? env.Undefined() : FillValue(env, fill);
}

}  // namespace tfr::addon
