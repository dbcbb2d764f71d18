#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/base/state_job.h"
#include "addon/bindings.h"
#include "addon/example/slab_job.h"
#include "core/example/survey/survey.h"

namespace tfr::addon {
namespace {

using Outcome = Survey::Outcome;

struct SurveyState : JobState {
  static constexpr napi_type_tag kTag = {0x6f1b0d4ac52e4938,
                                         0x9d37b1c0e8a2f456};
  static constexpr const char* kBusy = "tfrecord: the survey is at work";

  Survey survey;
};

using SurveyPointer = std::shared_ptr<SurveyState>;

/// Work on surveys on a pool thread.
class SurveyJob : public StateJob<SurveyState> {
 protected:
  using StateJob::StateJob;
  void Work() override { outcome_ = Take(); }
  virtual Outcome Take() = 0;
  Outcome outcome() const {
    return lacks_memory() ? Outcome::kNoMemory : outcome_;
  }

 private:
  Outcome outcome_ = Outcome::kTaken;
};

class TakeJob final : public SurveyJob {
 public:
  TakeJob(EnvState* env, SurveyPointer survey, const uint8_t* slab,
          const Frame* frames, size_t count)
      : SurveyJob(env, {std::move(survey)}),
        slab_(slab),
        frames_(frames),
        count_(count) {}

 private:
  Outcome Take() override {
    Survey& survey = state().survey;
    survey.Clear();
    for (; taken_ < count_; ++taken_) {
      const auto [offset, length] = frames_[taken_];
      const Outcome outcome = survey.Take({slab_ + offset, length});
      if (outcome != Outcome::kTaken) return outcome;
    }
    return Outcome::kTaken;
  }

  Napi::Value Result(Napi::Env env) override {
    if (outcome() == Outcome::kTaken) return env.Undefined();
    Napi::Object fault = Napi::Object::New(env);
    const auto number = [env](auto value) {
      return Napi::Number::New(env, static_cast<double>(value));
    };
    fault.DefineProperties(
        {Field("code", number(outcome())), Field("row", number(taken_))});
    return fault;
  }

  const uint8_t* const slab_;
  const Frame* const frames_;
  const size_t count_;
  size_t taken_ = 0;
};

class MergeJob final : public SurveyJob {
 public:
  MergeJob(EnvState* env, SurveyPointer into, SurveyPointer from)
      : SurveyJob(env, {std::move(into), std::move(from)}) {}

 private:
  Outcome Take() override { return state(0).survey.Merge(&state(1).survey); }

  Napi::Value Result(Napi::Env env) override {
    if (outcome() != Outcome::kTaken) {
      return Napi::Number::New(env, static_cast<double>(outcome()));
    }
    const std::vector<PicturePlace>& places = state(1).survey.pictures();
    if (places.empty()) return env.Undefined();
    constexpr size_t kNumbers = sizeof(PicturePlace) / sizeof(uint32_t);
    auto numbers = Napi::Uint32Array::New(env, places.size() * kNumbers);
    std::memcpy(numbers.Data(), places.data(),
                places.size() * sizeof(PicturePlace));
    return numbers;
  }
};

Napi::Value NewSurvey(const Napi::CallbackInfo& info) {
  return NewHandle(info.Env(), std::make_shared<SurveyState>());
}

Napi::Value Take(const Napi::CallbackInfo& info) {
  return BeginSlabJob<TakeJob, SurveyState>(info);
}

Napi::Value Merge(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  SurveyPointer into = IdleState<SurveyState>(info[0]);
  SurveyPointer from = IdleState<SurveyState>(info[1]);
  if (into == from) {
    throw Napi::TypeError::New(env, "tfrecord: a survey is merged with itself");
  }
  return BeginJob(
      env, std::make_unique<MergeJob>(EnvState::Get(env), std::move(into),
                                      std::move(from)));
}

Napi::Value Totals(const Napi::CallbackInfo& info) {
  const SurveyPointer state = IdleState<SurveyState>(info[0]);
  const Survey& survey = state->survey;
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
  const SurveyPointer state = IdleState<SurveyState>(info[0]);
  const auto& features = state->survey.features();
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
