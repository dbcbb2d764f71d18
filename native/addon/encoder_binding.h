#ifndef TFR_ADDON_ENCODER_BINDING_H_
#define TFR_ADDON_ENCODER_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Adds the encoder function of lib/native/binding-examples.ts.
void ExportEncoder(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_ENCODER_BINDING_H_
