#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/errors.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/example/parser.h"
#include "addon/slab_frames.h"
#include "core/base/thread_pool.h"
#include "core/example/print/csv_printer.h"
#include "core/example/print/json_row_printer.h"
#include "core/example/print/record_slab_printer.h"

namespace tfr::addon {
namespace {

/// The printers of one form: one for each job under way.
class Printers {
 public:
  static constexpr napi_type_tag kTag = {0x2d4be19c70a8f365,
                                         0x8a13f7c25e9046db};

  using Maker = std::function<std::unique_ptr<SlabPrinter>()>;

  explicit Printers(Maker make) : make_(std::move(make)) {}
  void Abandon() {}

  std::unique_ptr<SlabPrinter> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return make_();
    auto printer = std::move(idle_.back());
    idle_.pop_back();
    return printer;
  }

  void Give(std::unique_ptr<SlabPrinter> printer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(printer));
  }

 private:
  const Maker make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SlabPrinter>> idle_;
};

/// Resolves with `PrintedLines` of lib/native/binding-lines.ts.
class LinesJob final : public Job, public ThreadPool::Task {
 public:
  /// `slab`, `frames` and `room` are kept alive by the promise.
  LinesJob(EnvState* env, std::shared_ptr<Printers> printers, Span slab,
           const Frame* frames, size_t count, TextRoom room)
      : env_(env),
        printers_(std::move(printers)),
        slab_(slab),
        frames_(frames),
        count_(count),
        room_(room) {}

  void Run() noexcept override {
    try {
      auto printer = printers_->Take();
      lines_ = printer->Print(slab_, frames_, count_, room_);
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
  const Span slab_;
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
  const bool whole = info[1].ToBoolean();
  return NewHandle(
      env,
      std::make_shared<Printers>([form = static_cast<LineForm>(form), whole] {
        return std::make_unique<RecordSlabPrinter>(form, whole);
      }));
}

Napi::Value NewCsv(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto plan = PlanOf(info[0], false, false);
  const uint32_t delimiter = info[1].As<Napi::Number>().Uint32Value();
  if (delimiter == 0 || delimiter > 0x7f) {
    throw Napi::RangeError::New(env, "tfrecord: delimiter of CSV");
  }
  return NewHandle(env, std::make_shared<Printers>([plan, delimiter] {
                     return std::make_unique<CsvPrinter>(
                         plan, static_cast<uint8_t>(delimiter));
                   }));
}

/// Maximum number of dimensions of a shape, over which printing recurses.
constexpr uint32_t kMostDimensions = 32;

RowMember MemberOf(const Napi::Object& object, const Plan& plan) {
  const Napi::Env env = object.Env();
  const auto wrong = [env] {
    return Napi::RangeError::New(env, "tfrecord: member of a row");
  };
  RowMember member;
  const ByteSpan json = GetBytes(object.Get("json"));
  member.json.assign(reinterpret_cast<const char*>(json.data), json.size);
  member.text = object.Get("text").ToBoolean();
  member.column = object.Get("column").As<Napi::Number>().Uint32Value();
  if (member.column >= plan.columns.size()) throw wrong();
  const int64_t count = plan.columns[member.column].count;
  const auto shape = object.Get("shape").As<Napi::Array>();
  if (shape.Length() > kMostDimensions) throw wrong();
  uint64_t product = 1;
  for (uint32_t i = 0; i < shape.Length(); ++i) {
    const uint32_t size = shape.Get(i).As<Napi::Number>().Uint32Value();
    member.shape.push_back(size);
    product *= size;
    // Both factors are below 2^32.
    if (product > 0x7fffffff) throw wrong();
  }
  if (count != kAnyCount && static_cast<uint64_t>(count) != product) {
    throw wrong();
  }
  return member;
}

Napi::Value NewRows(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto plan = PlanOf(info[0], false, false);
  const auto list = info[1].As<Napi::Array>();
  std::vector<RowMember> members;
  members.reserve(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    members.push_back(MemberOf(list.Get(i).As<Napi::Object>(), *plan));
  }
  const bool whole = info[2].ToBoolean();
  return NewHandle(
      env,
      std::make_shared<Printers>([plan, members = std::move(members), whole] {
        return std::make_unique<JsonRowPrinter>(plan, members, whole);
      }));
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
      state, std::move(printers), Span{slab.data, slab.size}, frames,
      end - begin, TextRoom{room.data, room.data + room.size});
  const Napi::Value promise = state->Begin(env, job.get(), kept);
  ThreadPool::Shared().Submit(job.release());
  return promise;
}

}  // namespace

void ExportLines(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<New>(env, "linesNew"),
      Export<NewCsv>(env, "linesNewCsv"),
      Export<NewRows>(env, "linesNewRows"),
      Export<Print>(env, "linesPrint"),
  });
}

}  // namespace tfr::addon
