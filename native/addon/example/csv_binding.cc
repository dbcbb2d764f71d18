#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/env_state.h"
#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/base/state_job.h"
#include "addon/bindings.h"
#include "addon/example/slab_job.h"
#include "addon/example/take_records.h"
#include "core/example/csv/csv_encoder.h"
#include "core/example/csv/csv_rows.h"
#include "core/example/csv/csv_survey.h"

namespace tfr::addon {
namespace {

/// The rows of one file after the other.
struct CsvRowsState : JobState {
  static constexpr napi_type_tag kTag = {0x71d3e02b9c5f48a6,
                                         0xa04c6b8ef2179d35};
  static constexpr const char* kBusy = "tfrecord: the rows are at work";

  CsvRules rules;
  CsvRows rows;
  CsvSurvey survey;
  CsvEncoder encoder;
};

using CsvPointer = std::shared_ptr<CsvRowsState>;

template <class T>
Napi::Value NumbersOf(Napi::Env env, const std::vector<T>& items) {
  constexpr size_t kNumber = 4;
  constexpr size_t kEach = sizeof(T) / kNumber;
  static_assert(kEach * kNumber == sizeof(T));
  auto array = Napi::Uint32Array::New(env, items.size() * kEach);
  if (!items.empty()) {
    std::memcpy(array.Data(), items.data(), items.size() * sizeof(T));
  }
  return array;
}

/// Resolves with undefined when memory runs out.
class CsvJob : public StateJob<CsvRowsState> {
 public:
  CsvJob(EnvState* env, CsvPointer rows, const uint8_t* slab,
         const Frame* frames, size_t count)
      : StateJob(env, {std::move(rows)}),
        slab_(slab),
        frames_(frames),
        count_(count) {}

 protected:
  void Work() override {
    state().rows.Clear();
    Begin();
    for (size_t i = 0; i < count_; ++i) {
      if (closing() || !Add({slab_ + frames_[i].offset, frames_[i].length})) {
        return;
      }
    }
    done_ = true;
  }

  Napi::Value Result(Napi::Env env) override {
    return done_ ? Made(env) : env.Undefined();
  }

  virtual void Begin() = 0;
  /// Returns false when memory runs out.
  virtual bool Add(Span row) = 0;
  virtual Napi::Value Made(Napi::Env env) = 0;

 private:
  const uint8_t* const slab_;
  const Frame* const frames_;
  const size_t count_;
  bool done_ = false;
};

/// Returns `NativeCsvSurvey` of lib/native/binding-csv.ts.
Napi::Value SurveyValue(Napi::Env env, const CsvRowsState& state) {
  const CsvSurvey& survey = state.survey;
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("columns", NumbersOf(env, survey.columns())),
      Field("firsts", NumbersOf(env, survey.firsts())),
      Field("refused", NumbersOf(env, survey.refused())),
      Field("breaks", NumbersOf(env, state.rows.breaks())),
  });
  return object;
}

/// Returns `NativeCsvRecords` of lib/native/binding-csv.ts.
Napi::Value RecordsValue(Napi::Env env, const CsvRowsState& state) {
  const CsvEncoder& encoder = state.encoder;
  const auto bytes = static_cast<double>(encoder.data().size());
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("bytes", Napi::Number::New(env, bytes)),
      Field("rounded", NumbersOf(env, encoder.rounded())),
      Field("roundings", NumbersOf(env, encoder.roundings())),
      Field("breaks", NumbersOf(env, state.rows.breaks())),
  });
  return object;
}

class SurveyJob final : public CsvJob {
 public:
  using CsvJob::CsvJob;

 private:
  void Begin() override { state().survey.Clear(state().rules.columns.size()); }

  bool Add(Span row) override {
    state().survey.Add(row, &state().rows);
    return true;
  }

  Napi::Value Made(Napi::Env env) override { return SurveyValue(env, state()); }
};

class EncodeJob final : public CsvJob {
 public:
  using CsvJob::CsvJob;

 private:
  void Begin() override { state().encoder.Clear(state().rules); }

  bool Add(Span row) override {
    return state().encoder.Add(row, &state().rows);
  }

  Napi::Value Made(Napi::Env env) override {
    return RecordsValue(env, state());
  }
};

std::vector<std::string> TextsOf(const Napi::Value& value) {
  const auto list = value.As<Napi::Array>();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const ByteSpan text = GetBytes(list.Get(i));
    texts.emplace_back(reinterpret_cast<const char*>(text.data), text.size);
  }
  return texts;
}

Napi::Value New(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto state = std::make_shared<CsvRowsState>();
  const uint32_t delimiter = info[0].As<Napi::Number>().Uint32Value();
  if (delimiter > 0x7f || delimiter == '"' || delimiter == '\r' ||
      delimiter == '\n') {
    throw Napi::RangeError::New(env, "tfrecord: delimiter");
  }
  state->rules.delimiter = static_cast<uint8_t>(delimiter);
  state->rules.na = TextsOf(info[1]);
  state->rules.exact = info[2].ToBoolean();
  return NewHandle(env, std::move(state));
}

Napi::Value Begin(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const CsvPointer state = IdleState<CsvRowsState>(info[0]);
  std::vector<std::string> names = TextsOf(info[1]);
  const ByteSpan columns = GetBytes(info[2]);
  constexpr uint8_t kKinds = 3;
  constexpr uint8_t kRequired = 4;
  constexpr uint8_t kAnyBytes = 8;
  if (columns.size != names.size()) {
    throw Napi::RangeError::New(env, "tfrecord: columns of CSV");
  }
  std::vector<CsvColumn> list;
  for (size_t i = 0; i < names.size(); ++i) {
    const uint8_t column = columns.data[i];
    list.push_back({std::move(names[i]), static_cast<Kind>(column & kKinds),
                    (column & kRequired) != 0, (column & kAnyBytes) != 0});
  }
  state->rules.columns = std::move(list);
  state->rules.quotes_count = info[3].ToBoolean();
  state->rows.Begin(state->rules);
  state->survey.Clear(0);
  state->encoder.Clear(state->rules);
  return env.Undefined();
}

Napi::Value Survey(const Napi::CallbackInfo& info) {
  return BeginSlabJob<SurveyJob, CsvRowsState>(info);
}

Napi::Value Encode(const Napi::CallbackInfo& info) {
  return BeginSlabJob<EncodeJob, CsvRowsState>(info);
}

Napi::Value Take(const Napi::CallbackInfo& info) {
  const CsvPointer state = IdleState<CsvRowsState>(info[0]);
  return TakeRecords(state->encoder, info[1], info[2], info[3]);
}

Napi::Value Free(const Napi::CallbackInfo& info) {
  const CsvPointer state = IdleState<CsvRowsState>(info[0]);
  state->rules.columns.clear();
  state->rows = CsvRows();
  state->survey = CsvSurvey();
  state->encoder.Free();
  return info.Env().Undefined();
}

}  // namespace

void ExportCsvRows(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<New>(env, "csvRowsNew"),
      Export<Begin>(env, "csvRowsBegin"),
      Export<Survey>(env, "csvRowsSurvey"),
      Export<Encode>(env, "csvRowsEncode"),
      Export<Take>(env, "csvRowsTake"),
      Export<Free>(env, "csvRowsFree"),
  });
}

}  // namespace tfr::addon
