#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
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

/// Returns a `PlannedGather` of lib/native/binding-index.ts, or undefined.
Napi::Value Plan(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto index = GetHandle<IndexHolder>(info[0])->file.index();
  const ArrayMemory given =
      GetArray(info[1], napi_float64_array, "tfrecord: not numbers of records");
  const auto* const numbers = static_cast<const double*>(given.data);
  std::vector<uint64_t> records(given.length);
  for (size_t i = 0; i < records.size(); ++i) {
    if (!(numbers[i] >= 0 && numbers[i] < 9007199254740992.0)) {
      return env.Undefined();
    }
    records[i] = static_cast<uint64_t>(numbers[i]);
  }
  auto holder = std::make_shared<GatherHolder>();
  RecordGather& gather = holder->gather;
  if (!gather.Plan(
          *index, records.data(), records.size(),
          static_cast<uint64_t>(info[2].As<Napi::Number>().Int64Value()))) {
    return env.Undefined();
  }
  const TypedBuffer<Frame>& frames = gather.frames();
  auto pairs = Napi::Uint32Array::New(env, 2 * frames.size());
  if (!frames.empty()) {
    std::memcpy(pairs.Data(), frames.data(), frames.size() * sizeof(Frame));
  }
  const auto bytes = static_cast<double>(gather.bytes());
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("handle", NewHandle(env, std::move(holder))),
      Field("frames", pairs),
      Field("bytes", Napi::Number::New(env, bytes)),
  });
  return object;
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
