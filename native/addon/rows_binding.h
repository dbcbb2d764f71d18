#ifndef TFR_ADDON_ROWS_BINDING_H_
#define TFR_ADDON_ROWS_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Adds the functions over rows of lib/native/binding-examples.ts.
void ExportRows(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_ROWS_BINDING_H_
