#ifndef TFR_ADDON_DUCKDB_JS_OBJECT_H_
#define TFR_ADDON_DUCKDB_JS_OBJECT_H_

#include <memory>
#include <utility>
#include <vector>

#include "addon/duckdb/js_caller.h"

namespace tfr::addon {

using Caller = std::shared_ptr<JsCaller>;

/// A JavaScript object. It may be freed on any thread.
class JsObject {
 public:
  /// JavaScript thread.
  JsObject(Caller caller, const Napi::Object& object)
      : caller_(std::move(caller)) {
    if (napi_create_reference(object.Env(), object, 1, &reference_) !=
        napi_ok) {
      throw Napi::Error::New(object.Env());
    }
  }
  JsObject(const JsObject&) = delete;
  JsObject& operator=(const JsObject&) = delete;
  ~JsObject() {
    // The end of the environment frees its references.
    caller_->Post([reference = reference_](Napi::Env env) {
      (void)napi_delete_reference(env, reference);
    });
  }

  const Caller& caller() const { return caller_; }

  /// JavaScript thread: calls the method `name`.
  Napi::Value Call(Napi::Env env, const char* name,
                   const std::vector<napi_value>& arguments) const {
    napi_value value = nullptr;
    if (napi_get_reference_value(env, reference_, &value) != napi_ok) {
      throw Napi::Error::New(env);
    }
    const Napi::Object object(env, value);
    return object.Get(name).As<Napi::Function>().Call(object, arguments);
  }

 private:
  const Caller caller_;
  napi_ref reference_ = nullptr;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_DUCKDB_JS_OBJECT_H_
