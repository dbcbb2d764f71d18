#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/slab_frames.h"
#include "core/base/thread_pool.h"
#include "core/example/print/record_lines.h"

namespace tfr::addon {
namespace {

/// The printers of one form: one for each job under way.
class Printers {
 public:
  static constexpr napi_type_tag kTag = {0x2d4be19c70a8f365,
                                         0x8a13f7c25e9046db};

  Printers(LineForm form, bool whole) : form_(form), whole_(whole) {}
  void Abandon() {}

  std::unique_ptr<LinePrinter> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<LinePrinter>(form_, whole_);
    auto printer = std::move(idle_.back());
    idle_.pop_back();
    return printer;
  }

  void Give(std::unique_ptr<LinePrinter> printer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(printer));
  }

 private:
  const LineForm form_;
  const bool whole_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LinePrinter>> idle_;
};

/// Resolves with `PrintedLines` of lib/native/binding-lines.ts.
class LinesJob final : public Job, public ThreadPool::Task {
 public:
  /// `slab`, `frames` and `room` are kept alive by the promise.
  LinesJob(EnvState* env, std::shared_ptr<Printers> printers,
           const uint8_t* slab, const Frame* frames, size_t count,
           TextRoom room)
      : env_(env),
        printers_(std::move(printers)),
        slab_(slab),
        frames_(frames),
        count_(count),
        room_(room) {}

  void Run() noexcept override {
    try {
      auto printer = printers_->Take();
      lines_ = PrintRecords(printer.get(), slab_, frames_, count_, room_);
      printers_->Give(std::move(printer));
    } catch (const std::bad_alloc&) {
      lacks_memory_ = true;
    }
    env_->Done(this);
  }

  Napi::Value Finish(Napi::Env env) override {
    if (lacks_memory_) throw SystemError(env, ENOMEM, "malloc");
    const auto number = [env](size_t value) {
      return Napi::Number::New(env, static_cast<double>(value));
    };
    Napi::Object lines = Napi::Object::New(env);
    lines.DefineProperties({
        Field("records", number(lines_.records)),
        Field("bytes", number(lines_.bytes)),
        Field("refused", RefusedValue(env)),
    });
    return lines;
  }

 private:
  Napi::Value RefusedValue(Napi::Env env) const {
    const std::vector<RefusedRecord>& refused = lines_.refused;
    if (refused.empty()) return env.Undefined();
    auto pairs = Napi::Uint32Array::New(env, 2 * refused.size());
    std::memcpy(pairs.Data(), refused.data(),
                refused.size() * sizeof(RefusedRecord));
    return pairs;
  }

  EnvState* const env_;
  const std::shared_ptr<Printers> printers_;
  const uint8_t* const slab_;
  const Frame* const frames_;
  const size_t count_;
  const TextRoom room_;
  RecordLines lines_;
  bool lacks_memory_ = false;
};

Napi::Value New(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const uint32_t form = info[0].As<Napi::Number>().Uint32Value();
  if (form > static_cast<uint32_t>(LineForm::kRecordsWithKinds)) {
    throw Napi::RangeError::New(env, "tfrecord: form of lines");
  }
  return NewHandle(env, std::make_shared<Printers>(static_cast<LineForm>(form),
                                                   info[1].ToBoolean()));
}

Napi::Value Print(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  auto printers = GetHandle<Printers>(info[0]);
  const ByteSpan slab = GetBytes(info[1]);
  const size_t begin = info[3].As<Napi::Number>().Uint32Value();
  const size_t end = info[4].As<Napi::Number>().Uint32Value();
  const Frame* const frames = FramesOf(info[2], slab, begin, end);
  const ByteSpan room = GetBytes(info[5]);
  Napi::Array kept = Napi::Array::New(env);
  const Napi::Value memory[] = {info[1], info[2], info[5]};
  for (size_t i = 0; i < std::size(memory); ++i) {
    kept.DefineProperty(Element(env, i, memory[i]));
  }
  EnvState* const state = EnvState::Get(env);
  auto job = std::make_unique<LinesJob>(
      state, std::move(printers), slab.data, frames, end - begin,
      TextRoom{room.data, room.data + room.size});
  const Napi::Value promise = state->Begin(env, job.get(), kept);
  ThreadPool::Shared().Submit(job.release());
  return promise;
}

}  // namespace

void ExportLines(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<New>(env, "linesNew"),
      Export<Print>(env, "linesPrint"),
  });
}

}  // namespace tfr::addon
