#ifndef TFR_ADDON_BASE_HANDLE_H_
#define TFR_ADDON_BASE_HANDLE_H_

#include <memory>
#include <utility>

#include "addon/base/napi_setup.h"

namespace tfr::addon {

/// Creates an opaque JavaScript handle to a shared native object. `T` declares
/// `static constexpr napi_type_tag kTag` and `void Abandon()`, which runs on
/// the JavaScript thread when the handle is collected.
template <class T>
Napi::Value NewHandle(Napi::Env env, std::shared_ptr<T> object) {
  const Napi::Object handle = Napi::Object::New(env);
  auto* holder = new std::shared_ptr<T>(std::move(object));
  const auto finalize = [](napi_env, void* data, void*) {
    auto* held = static_cast<std::shared_ptr<T>*>(data);
    (*held)->Abandon();
    delete held;
  };
  if (napi_wrap(env, handle, holder, finalize, nullptr, nullptr) != napi_ok) {
    delete holder;
    throw Napi::Error::New(env);
  }
  if (napi_type_tag_object(env, handle, &T::kTag) != napi_ok) {
    throw Napi::Error::New(env);
  }
  return handle;
}

/// Returns the object behind `value`. Throws if `value` is not such a handle: a
/// wrong receiver must not corrupt memory.
template <class T>
std::shared_ptr<T> GetHandle(const Napi::Value& value) {
  const napi_env env = value.Env();
  bool right = false;
  void* data = nullptr;
  if (!value.IsObject() ||
      napi_check_object_type_tag(env, value, &T::kTag, &right) != napi_ok ||
      !right || napi_unwrap(env, value, &data) != napi_ok || data == nullptr) {
    throw Napi::TypeError::New(env, "tfrecord: not a handle of this kind");
  }
  return *static_cast<std::shared_ptr<T>*>(data);
}

/// Creates a function that runs `call` with `held` as its data, and owns `held`
/// until it is collected. For functions called once per record, which must not
/// spend time on unwrapping handles.
template <class T>
Napi::Value NewFunction(napi_env env, napi_callback call,
                        std::unique_ptr<T> held) {
  const auto finalize = [](napi_env, void* data, void*) {
    delete static_cast<T*>(data);
  };
  napi_value function = nullptr;
  if (napi_create_function(env, nullptr, 0, call, held.get(), &function) !=
          napi_ok ||
      napi_add_finalizer(env, function, held.get(), finalize, nullptr,
                         nullptr) != napi_ok) {
    throw Napi::Error::New(env);
  }
  held.release();
  return {env, function};
}

/// Memory of a typed array argument, and its number of elements. The memory may
/// move or be freed whenever JavaScript runs: use it before that, or get it
/// again.
struct ArrayMemory {
  void* data = nullptr;
  size_t length = 0;
  /// True if only this thread can change the memory: it is not shared.
  bool own = false;
};

/// Returns false for anything but a typed array of type `wanted`.
inline bool LookAtArray(napi_env env, napi_value value,
                        napi_typedarray_type wanted, ArrayMemory* memory) {
  napi_typedarray_type type = napi_int8_array;
  napi_value buffer = nullptr;
  return napi_get_typedarray_info(env, value, &type, &memory->length,
                                  &memory->data, &buffer, nullptr) == napi_ok &&
         type == wanted &&
         napi_is_arraybuffer(env, buffer, &memory->own) == napi_ok;
}

/// Returns the memory of an array of type `wanted` that no other thread can
/// change, so that checked content stays valid. Otherwise throws, with
/// `message`.
inline ArrayMemory GetArray(const Napi::Value& value,
                            napi_typedarray_type wanted, const char* message) {
  ArrayMemory memory;
  if (!LookAtArray(value.Env(), value, wanted, &memory) || !memory.own) {
    throw Napi::TypeError::New(value.Env(), message);
  }
  return memory;
}

/// Memory of a Uint8Array argument.
struct ByteSpan {
  uint8_t* data = nullptr;
  size_t size = 0;
};

inline ByteSpan GetBytes(const Napi::Value& value) {
  const ArrayMemory memory =
      GetArray(value, napi_uint8_array, "tfrecord: not an unshared Uint8Array");
  return {static_cast<uint8_t*>(memory.data), memory.length};
}

/// Returns the memory of a Uint8Array that other threads may change: only copy
/// it once from beginning to end, or fill it.
inline ByteSpan GetSharedBytes(const Napi::Value& value, bool* own = nullptr) {
  ArrayMemory memory;
  if (!LookAtArray(value.Env(), value, napi_uint8_array, &memory)) {
    throw Napi::TypeError::New(value.Env(), "tfrecord: not a Uint8Array");
  }
  if (own != nullptr) *own = memory.own;
  return {static_cast<uint8_t*>(memory.data), memory.length};
}

/// Like `GetBytes`, but returns false instead of throwing.
inline bool GetOwnBytes(napi_env env, napi_value value, ByteSpan* bytes) {
  ArrayMemory memory;
  if (!LookAtArray(env, value, napi_uint8_array, &memory)) return false;
  *bytes = {static_cast<uint8_t*>(memory.data), memory.length};
  return memory.own;
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_BASE_HANDLE_H_
