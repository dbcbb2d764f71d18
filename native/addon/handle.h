#ifndef TFR_ADDON_HANDLE_H_
#define TFR_ADDON_HANDLE_H_

#include <memory>
#include <utility>

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Opaque JavaScript handles to shared native objects. `T` declares
/// `static constexpr napi_type_tag kTag` and `void Abandon()`, which is called
/// on the JavaScript thread when the handle was collected.
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

/// The object behind `value`. Throws for values that are no such handle: a
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

/// A function, `call`, whose data is `held`, until it is collected. Methods
/// that are called by record must not look handles up.
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

/// Memory of a typed array argument, and its number of elements. Throws, with
/// `message`, for anything but an array of type `wanted`.
struct ArrayMemory {
  void* data = nullptr;
  size_t length = 0;
};

inline ArrayMemory GetArray(const Napi::Value& value,
                            napi_typedarray_type wanted, const char* message) {
  napi_typedarray_type type = napi_int8_array;
  ArrayMemory memory;
  if (!value.IsTypedArray() ||
      napi_get_typedarray_info(value.Env(), value, &type, &memory.length,
                               &memory.data, nullptr, nullptr) != napi_ok ||
      type != wanted) {
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
      GetArray(value, napi_uint8_array, "tfrecord: not a Uint8Array");
  return {static_cast<uint8_t*>(memory.data), memory.length};
}

/// The same without throwing; false, too, where another thread may change them.
inline bool GetOwnBytes(const Napi::Value& value, ByteSpan* bytes) {
  const napi_env env = value.Env();
  napi_typedarray_type type = napi_int8_array;
  void* data = nullptr;
  napi_value buffer = nullptr;
  bool own = false;
  if (napi_get_typedarray_info(env, value, &type, &bytes->size, &data, &buffer,
                               nullptr) != napi_ok ||
      type != napi_uint8_array ||
      napi_is_arraybuffer(env, buffer, &own) != napi_ok) {
    return false;
  }
  bytes->data = static_cast<uint8_t*>(data);
  return own;
}

}  // namespace tfr::addon

#endif  // TFR_ADDON_HANDLE_H_
