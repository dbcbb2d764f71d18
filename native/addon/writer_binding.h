#ifndef TFR_ADDON_WRITER_BINDING_H_
#define TFR_ADDON_WRITER_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Exports the writer functions of lib/native/binding.ts.
void ExportWriter(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_WRITER_BINDING_H_
