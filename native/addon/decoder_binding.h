#ifndef TFR_ADDON_DECODER_BINDING_H_
#define TFR_ADDON_DECODER_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Adds `exampleDecoder` of lib/native/binding-examples.ts.
void ExportDecoder(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_DECODER_BINDING_H_
