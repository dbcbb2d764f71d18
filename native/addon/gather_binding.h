#ifndef TFR_ADDON_GATHER_BINDING_H_
#define TFR_ADDON_GATHER_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// `gather` of lib/native/binding.ts.
void ExportGather(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_GATHER_BINDING_H_
