#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/slab_frames.h"
#include "core/base/thread_pool.h"
#include "core/example/survey/survey.h"

namespace tfr::addon {
namespace {

using Outcome = Survey::Outcome;

/// A survey, used by the JavaScript thread or by one job at a time.
struct SurveyHolder {
  static constexpr napi_type_tag kTag = {0x6f1b0d4ac52e4938,
                                         0x9d37b1c0e8a2f456};
  void Abandon() {}

  Survey survey;
  bool busy = false;
};

using Holder = std::shared_ptr<SurveyHolder>;

Holder IdleSurvey(const Napi::Value& handle) {
  Holder holder = GetHandle<SurveyHolder>(handle);
  if (holder->busy) {
    throw Napi::Error::New(handle.Env(), "tfrecord: the survey is at work");
  }
  return holder;
}

/// Work on surveys on a pool thread.
class SurveyJob : public Job, public ThreadPool::Task {
 public:
  void Submit() { ThreadPool::Shared().Submit(this); }

  void Run() noexcept override {
    try {
      outcome_ = Work();
    } catch (const std::bad_alloc&) {
      outcome_ = Outcome::kNoMemory;
    }
    env_->Done(this);
  }

 protected:
  explicit SurveyJob(EnvState* env) : env_(env) {}
  virtual Outcome Work() = 0;
  Outcome outcome() const { return outcome_; }

 private:
  EnvState* const env_;
  Outcome outcome_ = Outcome::kTaken;
};

class TakeJob final : public SurveyJob {
 public:
  TakeJob(EnvState* env, Holder holder, const uint8_t* slab,
          const Frame* frames, size_t count)
      : SurveyJob(env),
        holder_(std::move(holder)),
        slab_(slab),
        frames_(frames),
        count_(count) {
    holder_->busy = true;
  }

  Outcome Work() override {
    Survey& survey = holder_->survey;
    survey.Clear();
    for (; taken_ < count_; ++taken_) {
      const auto [offset, length] = frames_[taken_];
      const Outcome outcome = survey.Take({slab_ + offset, length});
      if (outcome != Outcome::kTaken) return outcome;
    }
    return Outcome::kTaken;
  }

  Napi::Value Finish(Napi::Env env) override {
    holder_->busy = false;
    if (outcome() == Outcome::kTaken) return env.Undefined();
    Napi::Object fault = Napi::Object::New(env);
    const auto number = [env](auto value) {
      return Napi::Number::New(env, static_cast<double>(value));
    };
    fault.DefineProperties(
        {Field("code", number(outcome())), Field("row", number(taken_))});
    return fault;
  }

 private:
  const Holder holder_;
  const uint8_t* const slab_;
  const Frame* const frames_;
  const size_t count_;
  size_t taken_ = 0;
};

class MergeJob final : public SurveyJob {
 public:
  MergeJob(EnvState* env, Holder into, Holder from)
      : SurveyJob(env), into_(std::move(into)), from_(std::move(from)) {
    into_->busy = from_->busy = true;
  }

  Outcome Work() override { return into_->survey.Merge(&from_->survey); }

  Napi::Value Finish(Napi::Env env) override {
    into_->busy = from_->busy = false;
    if (outcome() != Outcome::kTaken) {
      return Napi::Number::New(env, static_cast<double>(outcome()));
    }
    const std::vector<PicturePlace>& places = from_->survey.pictures();
    if (places.empty()) return env.Undefined();
    constexpr size_t kNumbers = sizeof(PicturePlace) / sizeof(uint32_t);
    auto numbers = Napi::Uint32Array::New(env, places.size() * kNumbers);
    std::memcpy(numbers.Data(), places.data(),
                places.size() * sizeof(PicturePlace));
    return numbers;
  }

 private:
  const Holder into_;
  const Holder from_;
};

Napi::Value NewSurvey(const Napi::CallbackInfo& info) {
  return NewHandle(info.Env(), std::make_shared<SurveyHolder>());
}

template <class T>
Napi::Value Begin(Napi::Env env, std::unique_ptr<T> job, Napi::Value kept) {
  const Napi::Value promise = EnvState::Get(env)->Begin(env, job.get(), kept);
  job.release()->Submit();
  return promise;
}

Napi::Value Take(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  Holder holder = IdleSurvey(info[0]);
  const ByteSpan slab = GetBytes(info[1]);
  const size_t begin = info[3].As<Napi::Number>().Uint32Value();
  const size_t end = info[4].As<Napi::Number>().Uint32Value();
  const Frame* const frames = FramesOf(info[2], slab, begin, end);
  Napi::Array kept = Napi::Array::New(env);
  for (uint32_t i = 0; i < 2; ++i) {
    kept.DefineProperty(Element(env, i, info[1 + i]));
  }
  return Begin(env,
               std::make_unique<TakeJob>(EnvState::Get(env), std::move(holder),
                                         slab.data, frames, end - begin),
               kept);
}

Napi::Value Merge(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  Holder into = IdleSurvey(info[0]);
  Holder from = IdleSurvey(info[1]);
  if (into == from) {
    throw Napi::TypeError::New(env, "tfrecord: a survey is merged with itself");
  }
  return Begin(env,
               std::make_unique<MergeJob>(EnvState::Get(env), std::move(into),
                                          std::move(from)),
               Napi::Value());
}

Napi::Value Totals(const Napi::CallbackInfo& info) {
  const Holder holder = IdleSurvey(info[0]);
  const Survey& survey = holder->survey;
  const double numbers[] = {static_cast<double>(survey.records()),
                            static_cast<double>(survey.with_lists()),
                            static_cast<double>(survey.features().size())};
  auto totals = Napi::Float64Array::New(info.Env(), std::size(numbers));
  std::memcpy(totals.Data(), numbers, sizeof(numbers));
  return totals;
}

Napi::Value BytesValue(Napi::Env env, const void* data, size_t size) {
  auto array = Napi::Uint8Array::New(env, size);
  if (size > 0) std::memcpy(array.Data(), data, size);
  return array;
}

/// Returns the two integers and the distinct ones; the distinct ones are left
/// out when they are too many.
Napi::Value IntsValue(Napi::Env env, const IntSummary& ints) {
  const std::vector<int64_t>& distinct = ints.distinct.values();
  auto array = Napi::BigInt64Array::New(env, 2 + distinct.size());
  array[0] = ints.min;
  array[1] = ints.max;
  for (size_t i = 0; i < distinct.size(); ++i) array[2 + i] = distinct[i];
  return array;
}

Napi::Value EndsValue(Napi::Env env, const DistinctBytes& distinct) {
  if (distinct.many()) return env.Undefined();
  auto array = Napi::Uint32Array::New(env, distinct.size());
  for (size_t i = 0; i < distinct.size(); ++i) array[i] = distinct.ends()[i];
  return array;
}

/// Returns `NativeSurveyedFeature` of lib/native/binding-examples.ts.
Napi::Value FeatureValue(Napi::Env env, const SurveyedFeature& feature) {
  const FeatureSummary& summary = feature.summary;
  const std::vector<double> numbers = summary.Numbers();
  auto array = Napi::Float64Array::New(env, numbers.size());
  std::memcpy(array.Data(), numbers.data(), numbers.size() * sizeof(double));
  const DistinctBytes& distinct = summary.bytes.distinct;
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("section",
            Napi::Number::New(env, static_cast<double>(feature.section))),
      Field("name", BytesValue(env, feature.name.data(), feature.name.size())),
      Field("numbers", array),
      Field("ints", IntsValue(env, summary.ints)),
      Field("manyInts", Napi::Boolean::New(env, summary.ints.distinct.many())),
      Field("words",
            BytesValue(env, distinct.data().data(), distinct.data().size())),
      Field("wordEnds", EndsValue(env, distinct)),
  });
  return object;
}

Napi::Value Feature(const Napi::CallbackInfo& info) {
  const Holder holder = IdleSurvey(info[0]);
  const auto& features = holder->survey.features();
  const size_t index = info[1].As<Napi::Number>().Uint32Value();
  if (index >= features.size()) {
    throw Napi::RangeError::New(info.Env(), "tfrecord: no such feature");
  }
  return FeatureValue(info.Env(), *features[index]);
}

}  // namespace

void ExportSurvey(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<NewSurvey>(env, "surveyNew"),
      Export<Take>(env, "surveyTake"),
      Export<Merge>(env, "surveyMerge"),
      Export<Totals>(env, "surveyTotals"),
      Export<Feature>(env, "surveyFeature"),
  });
}

}  // namespace tfr::addon
