#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "addon/index_holder.h"
#include "addon/slab_frames.h"
#include "core/example/parse/feature_keys.h"

namespace tfr::addon {
namespace {

using Holder = std::shared_ptr<IndexHolder>;

Napi::Value Number(Napi::Env env, size_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

size_t SizeAt(const Napi::CallbackInfo& info, size_t at) {
  return static_cast<size_t>(info[at].As<Napi::Number>().Int64Value());
}

/// Returns undefined, or a `KeyFault` of lib/native/binding-index.ts.
Napi::Value Add(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  RecordKeys* const keys = holder->file.index()->keys();
  const ByteSpan slab = GetBytes(info[2]);
  const size_t begin = SizeAt(info, 4);
  const size_t end = SizeAt(info, 5);
  const auto first = static_cast<uint64_t>(SizeAt(info, 6));
  const Frame* const frames = FramesOf(info[3], slab, begin, end);
  std::string feature = info[1].As<Napi::String>().Utf8Value();
  FeatureKeys taken(feature);
  keys->SetFeature(std::move(feature));
  size_t row;
  const FeatureKeys::Outcome outcome = taken.TakeEach(
      slab.data, frames, end - begin, &row, [&](size_t i, Span key) {
        return keys->Add(first + i, key.data, key.size);
      });
  if (outcome == FeatureKeys::Outcome::kNoMemory) throw std::bad_alloc();
  if (outcome == FeatureKeys::Outcome::kTaken) return env.Undefined();
  Napi::Object fault = Napi::Object::New(env);
  fault.DefineProperties({
      Field("row", Number(env, begin + row)),
      Field("code", Number(env, static_cast<size_t>(outcome))),
  });
  return fault;
}

/// `IndexKeys` of lib/native/binding-index.ts; undefined if there are none.
Napi::Value Keys(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  RecordKeys* const keys = holder->file.index()->keys();
  if (keys->feature().empty()) return env.Undefined();
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("feature", Napi::String::New(env, keys->feature())),
      Field("count", Number(env, keys->size())),
  });
  return object;
}

Napi::Value Find(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  const ByteSpan key = GetBytes(info[1]);
  const std::vector<uint64_t> records =
      holder->file.index()->keys()->Find(key.data, key.size);
  auto numbers = Napi::Float64Array::New(env, records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    numbers[i] = static_cast<double>(records[i]);
  }
  return numbers;
}

/// Returns undefined after the last part.
Napi::Value Save(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  ByteBuffer part;
  if (!holder->file.index()->keys()->SavePart(
          SizeAt(info, 1), info[2].As<Napi::Number>().Uint32Value(), &part)) {
    return env.Undefined();
  }
  auto bytes = Napi::Uint8Array::New(env, part.size());
  std::memcpy(bytes.Data(), part.data(), part.size());
  return bytes;
}

Napi::Value Holds(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  FeatureKeys keys(info[0].As<Napi::String>().Utf8Value());
  const ByteSpan record = GetBytes(info[1]);
  const ByteSpan key = GetBytes(info[2]);
  const FeatureKeys::Outcome outcome = keys.Take({record.data, record.size});
  if (outcome == FeatureKeys::Outcome::kNoMemory) throw std::bad_alloc();
  return Napi::Boolean::New(env, keys.Has({key.data, key.size}));
}

}  // namespace

void ExportKeys(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<Add>(env, "keysAdd"),
      Export<Keys>(env, "keysOf"),
      Export<Find>(env, "keysFind"),
      Export<Save>(env, "keysSave"),
      Export<Holds>(env, "keysHold"),
  });
}

}  // namespace tfr::addon
