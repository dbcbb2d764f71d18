#ifndef TFR_ADDON_COPY_BINDING_H_
#define TFR_ADDON_COPY_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// `copyAll` of lib/native/binding.ts.
void ExportCopies(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_COPY_BINDING_H_
