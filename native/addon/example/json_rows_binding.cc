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
#include "addon/example/take_records.h"
#include "core/example/json/json_rows.h"
#include "core/example/json/row_encoder.h"

namespace tfr::addon {
namespace {

/// Rows and their records.
struct RowsState : JobState {
  static constexpr napi_type_tag kTag = {0x2c9a51f07be64d13,
                                         0xb8470e35c1d9fa62};
  static constexpr const char* kBusy = "tfrecord: the rows are at work";
  explicit RowsState(RowChoice choice) : rows(std::move(choice)) {}

  JsonRows rows;
  RowEncoder encoder;
};

using RowsPointer = std::shared_ptr<RowsState>;

/// Resolves with undefined when memory runs out.
class RowsJob : public StateJob<RowsState> {
 protected:
  RowsJob(EnvState* env, RowsPointer rows) : StateJob(env, {std::move(rows)}) {}
  void Work() override { done_ = Make(); }
  Napi::Value Result(Napi::Env env) override {
    return done_ ? Made(env) : env.Undefined();
  }
  /// Returns false when memory runs out.
  virtual bool Make() = 0;
  virtual Napi::Value Made(Napi::Env env) = 0;

 private:
  bool done_ = false;
};

template <class Array, class T>
Napi::Value ArrayOf(Napi::Env env, const std::vector<T>& numbers) {
  auto array = Array::New(env, numbers.size());
  if (!numbers.empty()) {
    std::memcpy(array.Data(), numbers.data(), numbers.size() * sizeof(T));
  }
  return array;
}

/// Returns `NativeJsonRows` of lib/native/binding-rows.ts.
Napi::Value RowsValue(Napi::Env env, const JsonRows& rows) {
  std::vector<uint8_t> names;
  std::vector<uint32_t> ends;
  std::vector<uint8_t> sections;
  for (uint32_t i = 0; i < rows.names().size(); ++i) {
    const RowName& name = rows.names()[i];
    names.insert(names.end(), name.text.begin(), name.text.end());
    ends.push_back(static_cast<uint32_t>(names.size()));
    sections.push_back(static_cast<uint8_t>(name.section));
  }
  std::vector<uint32_t> refused;
  for (size_t i = 0; i < rows.rows().size(); ++i) {
    if (rows.rows()[i].state != JsonRows::State::kRefused) continue;
    refused.push_back(static_cast<uint32_t>(i));
  }
  std::vector<uint32_t> events;
  for (const RowEvent& event : rows.events()) {
    events.insert(events.end(), {event.row, event.name, event.what});
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("names", ArrayOf<Napi::Uint8Array>(env, names)),
      Field("nameEnds", ArrayOf<Napi::Uint32Array>(env, ends)),
      Field("sections", ArrayOf<Napi::Uint8Array>(env, sections)),
      Field("events", ArrayOf<Napi::Uint32Array>(env, events)),
      Field("refused", ArrayOf<Napi::Uint32Array>(env, refused)),
      Field("heldBytes",
            Napi::Number::New(env, static_cast<double>(rows.held_bytes()))),
  });
  return object;
}

class ParseRowsJob final : public RowsJob {
 public:
  ParseRowsJob(EnvState* env, RowsPointer rows, const uint8_t* slab,
               const Frame* frames, size_t count)
      : RowsJob(env, std::move(rows)),
        slab_(slab),
        frames_(frames),
        count_(count) {}

 private:
  bool Make() override {
    JsonRows& rows = state().rows;
    rows.Clear();
    for (size_t i = 0; i < count_; ++i) {
      if (closing()) return false;
      rows.Add({slab_ + frames_[i].offset, frames_[i].length});
    }
    return true;
  }

  Napi::Value Made(Napi::Env env) override {
    return RowsValue(env, state().rows);
  }

  const uint8_t* const slab_;
  const Frame* const frames_;
  const size_t count_;
};

class EncodeRowsJob final : public RowsJob {
 public:
  EncodeRowsJob(EnvState* env, RowsPointer rows, std::vector<uint8_t> kinds,
                std::unique_ptr<RowSpec> spec)
      : RowsJob(env, std::move(rows)),
        kinds_(std::move(kinds)),
        spec_(std::move(spec)) {}

 private:
  bool Make() override {
    return state().encoder.Encode(state().rows, kinds_, spec_.get());
  }

  Napi::Value Made(Napi::Env env) override {
    return Napi::Number::New(
        env, static_cast<double>(state().encoder.data().size()));
  }

  const std::vector<uint8_t> kinds_;
  const std::unique_ptr<RowSpec> spec_;
};

Napi::Value New(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  RowChoice choice;
  const uint32_t mode = info[0].As<Napi::Number>().Uint32Value();
  if (mode > static_cast<uint32_t>(RowChoice::Mode::kExcept)) {
    throw Napi::RangeError::New(env, "tfrecord: choice of features");
  }
  choice.mode = static_cast<RowChoice::Mode>(mode);
  choice.examples_only = info[2].ToBoolean();
  const auto names = info[1].As<Napi::Array>();
  for (uint32_t i = 0; i < names.Length(); ++i) {
    const ByteSpan name = GetBytes(names.Get(i));
    choice.names.emplace_back(reinterpret_cast<const char*>(name.data),
                              name.size);
  }
  return NewHandle(env, std::make_shared<RowsState>(std::move(choice)));
}

Napi::Value Parse(const Napi::CallbackInfo& info) {
  return BeginSlabJob<ParseRowsJob, RowsState>(info);
}

Napi::Value Encode(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  NeedThreads(env);
  RowsPointer rows = IdleState<RowsState>(info[0]);
  const ByteSpan given = GetBytes(info[1]);
  const ArrayMemory counts =
      GetArray(info[2], napi_uint32_array, "tfrecord: numbers of values");
  const int64_t required = info[3].As<Napi::Number>().Int64Value();
  constexpr uint8_t kRequired = 8;
  std::vector<uint8_t> kinds(given.data, given.data + given.size);
  std::unique_ptr<RowSpec> spec;
  if (required >= 0) {
    const size_t names = rows->rows.names().size();
    if (kinds.size() != names || counts.length != names) {
      throw Napi::RangeError::New(env, "tfrecord: rules for features");
    }
    spec = std::make_unique<RowSpec>();
    spec->required_count = static_cast<size_t>(required);
    const auto* const numbers = static_cast<const uint32_t*>(counts.data);
    spec->counts.assign(numbers, numbers + names);
    for (uint8_t& kind : kinds) {
      spec->required.push_back((kind & kRequired) != 0);
      kind &= static_cast<uint8_t>(~kRequired);
    }
  }
  for (const uint8_t kind : kinds) {
    if (kind > RowEncoder::kSkipped) {
      throw Napi::RangeError::New(env, "tfrecord: kind of a feature");
    }
  }
  return BeginJob(
      env, std::make_unique<EncodeRowsJob>(EnvState::Get(env), std::move(rows),
                                           std::move(kinds), std::move(spec)));
}

Napi::Value Take(const Napi::CallbackInfo& info) {
  const RowsPointer state = IdleState<RowsState>(info[0]);
  return TakeRecords(state->encoder, info[1], info[2], info[3]);
}

Napi::Value Free(const Napi::CallbackInfo& info) {
  const RowsPointer state = IdleState<RowsState>(info[0]);
  state->rows.Free();
  state->encoder.Free();
  return info.Env().Undefined();
}

}  // namespace

void ExportJsonRows(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<New>(env, "jsonRowsNew"),
      Export<Parse>(env, "jsonRowsParse"),
      Export<Encode>(env, "jsonRowsEncode"),
      Export<Take>(env, "jsonRowsTake"),
      Export<Free>(env, "jsonRowsFree"),
  });
}

}  // namespace tfr::addon
