#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/index_holder.h"
#include "addon/reading.h"
#include "core/base/thread_pool.h"
#include "core/index/record_gather.h"

namespace tfr::addon {
namespace {

/// Records that are to be read by their numbers.
struct GatherHolder {
  static constexpr napi_type_tag kTag = {0x52ad90c3e1f8467b,
                                         0xb86e03f7d59c2a14};
  void Abandon() {}

  RecordGather gather;
  bool started = false;
};

/// Reads the parts on several threads. The promise resolves with the fault.
class GatherJob final : public Job {
 public:
  GatherJob(EnvState* env, std::shared_ptr<GatherHolder> holder,
            std::string path, ReaderSpec spec, uint8_t* slab)
      : env_(env),
        holder_(std::move(holder)),
        path_(std::move(path)),
        spec_(std::move(spec)),
        slab_(slab),
        workers_(std::clamp<size_t>(
            holder_->gather.parts(), 1,
            static_cast<size_t>(ThreadPool::Shared().size()))),
        working_(workers_.size()) {
    for (Worker& worker : workers_) worker.job = this;
  }

  void Submit() {
    // The last worker ends the job.
    const size_t count = workers_.size();
    Worker* const workers = workers_.data();
    for (size_t i = 0; i < count; ++i) ThreadPool::Shared().Submit(workers + i);
  }

  Napi::Value Finish(Napi::Env env) override {
    return FaultValue(env, holder_->gather.fault());
  }

 private:
  struct Worker final : ThreadPool::Task {
    void Run() noexcept override { job->Work(); }
    GatherJob* job = nullptr;
  };

  void Work() noexcept {
    RecordGather& gather = holder_->gather;
    while (!env_->closing()->load(std::memory_order_relaxed)) {
      const size_t part = next_.fetch_add(1, std::memory_order_relaxed);
      if (part >= gather.parts()) break;
      gather.ReadPart(part, path_, spec_, slab_);
    }
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) env_->Done(this);
  }

  EnvState* const env_;
  const std::shared_ptr<GatherHolder> holder_;
  const std::string path_;
  const ReaderSpec spec_;
  uint8_t* const slab_;
  std::vector<Worker> workers_;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> working_;
};

/// Returns a `PlannedGather` of lib/native/binding-index.ts.
Napi::Value PlannedValue(Napi::Env env, std::shared_ptr<GatherHolder> holder) {
  const TypedBuffer<Frame>& frames = holder->gather.frames();
  auto pairs = Napi::Uint32Array::New(env, 2 * frames.size());
  if (!frames.empty()) {
    std::memcpy(pairs.Data(), frames.data(), frames.size() * sizeof(Frame));
  }
  const auto bytes = static_cast<double>(holder->gather.bytes());
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("handle", NewHandle(env, std::move(holder))),
      Field("frames", pairs),
      Field("bytes", Napi::Number::New(env, bytes)),
  });
  return object;
}

/// Finds the places of the records on a thread: there may be millions. The
/// promise resolves with what was planned, or undefined.
class PlanJob final : public Job, public ThreadPool::Task {
 public:
  /// `numbers`: kept alive by the promise, and changed by nobody.
  PlanJob(EnvState* env, std::shared_ptr<const RecordIndex> index,
          const double* numbers, size_t count, uint64_t max_record_bytes)
      : env_(env),
        index_(std::move(index)),
        numbers_(numbers),
        count_(count),
        max_record_bytes_(max_record_bytes) {}

  void Run() noexcept override {
    try {
      planned_ = Plan();
    } catch (const std::bad_alloc&) {
      lacks_memory_ = true;
    }
    env_->Done(this);
  }

  Napi::Value Finish(Napi::Env env) override {
    if (lacks_memory_) throw std::bad_alloc();
    if (!planned_) return env.Undefined();
    return PlannedValue(env, std::move(holder_));
  }

 private:
  bool Plan() {
    std::vector<uint64_t> records(count_);
    for (size_t i = 0; i < count_; ++i) {
      if (!(numbers_[i] >= 0 && numbers_[i] < 9007199254740992.0)) return false;
      records[i] = static_cast<uint64_t>(numbers_[i]);
    }
    return holder_->gather.Plan(*index_, records.data(), records.size(),
                                max_record_bytes_);
  }

  EnvState* const env_;
  const std::shared_ptr<const RecordIndex> index_;
  const double* const numbers_;
  const size_t count_;
  const uint64_t max_record_bytes_;
  std::shared_ptr<GatherHolder> holder_ = std::make_shared<GatherHolder>();
  bool planned_ = false;
  bool lacks_memory_ = false;
};

Napi::Value Plan(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  auto index = GetHandle<IndexHolder>(info[0])->file.index();
  const ArrayMemory given =
      GetArray(info[1], napi_float64_array, "tfrecord: not numbers of records");
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<PlanJob>(
      state, std::move(index), static_cast<const double*>(given.data),
      given.length,
      static_cast<uint64_t>(info[2].As<Napi::Number>().Int64Value()));
  const Napi::Value promise = state->Begin(env, job.get(), info[1]);
  ThreadPool::Shared().Submit(job.release());
  return promise;
}

Napi::Value Read(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  auto holder = GetHandle<GatherHolder>(info[0]);
  const ByteSpan slab = GetBytes(info[3]);
  if (holder->started || slab.size != holder->gather.bytes()) {
    throw Napi::TypeError::New(env, "tfrecord: not the slab of a new gather");
  }
  holder->started = true;
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<GatherJob>(state, std::move(holder),
                                         info[1].As<Napi::String>().Utf8Value(),
                                         DecodeSpec(info[2]), slab.data);
  const Napi::Value promise = state->Begin(env, job.get(), info[3]);
  job.release()->Submit();
  return promise;
}

}  // namespace

void ExportGathering(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Plan>(env, "gatherPlan"),
      Export<Read>(env, "gatherRead"),
  });
}

}  // namespace tfr::addon
