#ifndef TFR_ADDON_READER_BINDING_H_
#define TFR_ADDON_READER_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Exports the reader functions of lib/native/binding.ts.
void ExportReader(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_READER_BINDING_H_
