#ifndef TFR_ADDON_ROWS_BINDING_H_
#define TFR_ADDON_ROWS_BINDING_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Adds the functions of lib/native/binding-examples.ts that work on rows.
void ExportRows(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_ROWS_BINDING_H_
