#include <cstring>
#include <memory>
#include <numeric>
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
#include "core/index/file_index.h"

namespace tfr::addon {
namespace {

using Holder = std::shared_ptr<IndexHolder>;

Napi::Value Number(Napi::Env env, uint64_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

uint64_t CountAt(const Napi::CallbackInfo& info, size_t at) {
  return static_cast<uint64_t>(info[at].As<Napi::Number>().Int64Value());
}

Napi::Value New(const Napi::CallbackInfo& info) {
  IndexLimits limits;
  limits.checkpoint_bytes = CountAt(info, 0);
  limits.most_checkpoint_memory = CountAt(info, 1);
  limits.compressed_only = info[2].As<Napi::Boolean>().Value();
  limits.most_offset_memory = CountAt(info, 3);
  return NewHandle(info.Env(), std::make_shared<IndexHolder>(limits));
}

/// `IndexState` of lib/native/binding-index.ts.
Napi::Value State(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const FileIndex& file = GetHandle<IndexHolder>(info[0])->file;
  const RecordIndex& index = *file.index();
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("records", Number(env, index.records())),
      Field("contentBytes", Number(env, index.content_bytes())),
      Field("heldBytes", Number(env, index.held_bytes())),
      Field("compression",
            Napi::String::New(env, NameOf(file.summary().compression))),
      Field("cut", Napi::Boolean::New(env, file.summary().cut)),
  });
  return object;
}

void Complete(const Napi::CallbackInfo& info) {
  IndexSummary summary;
  summary.compression = static_cast<Compression>(CountAt(info, 1));
  summary.stored = CountAt(info, 2);
  summary.damaged = CountAt(info, 3);
  summary.cut = info[4].As<Napi::Boolean>().Value();
  GetHandle<IndexHolder>(info[0])->file.Complete(summary);
}

void Wrote(const Napi::CallbackInfo& info) {
  const ByteSpan framed = GetBytes(info[1]);
  GetHandle<IndexHolder>(info[0])->file.Wrote(
      framed.data, framed.size, static_cast<Compression>(CountAt(info, 2)),
      CountAt(info, 3));
}

Napi::Value AddPoint(const Napi::CallbackInfo& info) {
  const ByteSpan state = info[3].IsUndefined() ? ByteSpan() : GetBytes(info[3]);
  const bool added = GetHandle<IndexHolder>(info[0])->file.AddPoint(
      CountAt(info, 1), CountAt(info, 2), state.data, state.size);
  return Napi::Boolean::New(info.Env(), added);
}

Napi::Value Load(const Napi::CallbackInfo& info) {
  auto holder = std::make_shared<IndexHolder>();
  holder->loader = std::make_unique<IndexLoader>(holder->file.index().get(),
                                                 CountAt(info, 0));
  return NewHandle(info.Env(), std::move(holder));
}

IndexLoader* LoaderOf(Napi::Env env, const Holder& holder) {
  if (!holder->loader)
    throw Napi::Error::New(env, "tfrecord: no index to load");
  return holder->loader.get();
}

void LoadPart(const Napi::CallbackInfo& info) {
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  const ByteSpan bytes = GetSharedBytes(info[1]);
  LoaderOf(info.Env(), holder)->Take(bytes.data, bytes.size);
}

/// `LoadedIndex` of lib/native/binding-index.ts.
Napi::Value Loaded(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  const IndexStatus status = holder->file.FinishLoading(LoaderOf(env, holder));
  holder->loader.reset();
  const IndexSummary summary = holder->file.summary();
  const uint64_t records = holder->file.index()->records();
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("status", Napi::Number::New(env, static_cast<double>(status))),
      Field("records", Number(env, records)),
      Field("damaged", Number(env, summary.damaged)),
      Field("cut", Napi::Boolean::New(env, summary.cut)),
      Field("compression", Napi::String::New(env, NameOf(summary.compression))),
      Field("verified",
            Napi::Number::New(env, static_cast<double>(summary.verified))),
      Field("size", Number(env, summary.file.size)),
      Field("headCrc", Napi::Number::New(env, summary.file.head_crc)),
      Field("tailCrc", Napi::Number::New(env, summary.file.tail_crc)),
      Field("time", Napi::BigInt::New(env, summary.file.time)),
  });
  return object;
}

/// Returns undefined if there is nothing to save yet.
Napi::Value Save(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  bool exact = false;
  const IndexedFile file = {CountAt(info, 1),
                            info[2].As<Napi::Number>().Uint32Value(),
                            info[3].As<Napi::Number>().Uint32Value(),
                            info[4].As<Napi::BigInt>().Int64Value(&exact)};
  ByteBuffer saved;
  if (!holder->file.Save(file, &saved, false)) return env.Undefined();
  auto bytes = Napi::Uint8Array::New(env, saved.size());
  std::memcpy(bytes.Data(), saved.data(), saved.size());
  return bytes;
}

/// `ReadStart` of lib/native/binding.ts.
Napi::Object StartValue(Napi::Env env, ReadStart start) {
  const uint64_t position = start.position();
  Napi::Value from = env.Undefined();
  if (start.from) {
    auto held = std::make_shared<CheckpointHolder>();
    held->checkpoint = std::move(start.from);
    from = NewHandle(env, std::move(held));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("record", Number(env, start.record)),
      Field("offset", Number(env, start.offset)),
      Field("checked", Napi::Boolean::New(env, start.checked)),
      Field("from", from),
      Field("position", Number(env, position)),
  });
  return object;
}

Napi::Value Start(const Napi::CallbackInfo& info) {
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  ReadStart start;
  if (!holder->file.index()->FindStart(CountAt(info, 1), &start)) {
    return info.Env().Undefined();
  }
  return StartValue(info.Env(), std::move(start));
}

/// `IndexJump` of lib/native/binding-index.ts.
Napi::Value FindJump(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  RecordIndex::Jump jump;
  if (!holder->file.index()->Find(CountAt(info, 1), CountAt(info, 2), &jump)) {
    return env.Undefined();
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("start", StartValue(env, jump.start())),
      Field("bytes", Number(env, jump.end - jump.place.offset)),
  });
  return object;
}

/// `InflatePoint` of lib/native/binding-index.ts.
Napi::Value Point(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  const auto checkpoint = holder->file.index()->CheckpointAt(CountAt(info, 1));
  if (!checkpoint) return env.Undefined();
  ByteBuffer state;
  if (!checkpoint->portable ||
      InflateState(*checkpoint, &state) != RestoreResult::kRestored) {
    return env.Null();
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("position", Number(env, checkpoint->point.consumed)),
      Field("offset", Number(env, checkpoint->point.produced)),
  });
  if (state.size() > 0) {
    const size_t size = state.size() - kStateHead;
    auto window = Napi::Uint8Array::New(env, size);
    std::memcpy(window.Data(), state.data() + kStateHead, size);
    object.DefineProperties({
        Field("bits", Napi::Number::New(env, state.data()[0])),
        Field("window", window),
    });
  }
  return object;
}

/// Returns offset and end of each record, in turn; undefined if they are not
/// known.
Napi::Value Extents(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Holder holder = GetHandle<IndexHolder>(info[0]);
  std::vector<uint64_t> records(CountAt(info, 2));
  std::iota(records.begin(), records.end(), CountAt(info, 1));
  std::vector<RecordIndex::Extent> extents(records.size());
  if (!holder->file.index()->FindAll(records.data(), records.size(),
                                     extents.data())) {
    return env.Undefined();
  }
  auto numbers = Napi::Float64Array::New(env, 2 * extents.size());
  for (size_t i = 0; i < extents.size(); ++i) {
    numbers[2 * i] = static_cast<double>(extents[i].offset);
    numbers[2 * i + 1] = static_cast<double>(extents[i].end);
  }
  return numbers;
}

}  // namespace

void ExportIndex(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<New>(env, "indexNew"),
      Export<Load>(env, "indexLoad"),
      Export<LoadPart>(env, "indexLoadPart"),
      Export<Loaded>(env, "indexLoaded"),
      Export<Save>(env, "indexSave"),
      Export<Start>(env, "indexStart"),
      Export<State>(env, "indexState"),
      Export<Complete>(env, "indexComplete"),
      Export<Wrote>(env, "indexWrote"),
      Export<AddPoint>(env, "indexAddPoint"),
      Export<FindJump>(env, "indexJump"),
      Export<Point>(env, "indexPoint"),
      Export<Extents>(env, "indexExtents"),
  });
}

}  // namespace tfr::addon
