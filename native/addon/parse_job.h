#ifndef TFR_ADDON_PARSE_JOB_H_
#define TFR_ADDON_PARSE_JOB_H_

#include "addon/napi_setup.h"

namespace tfr::addon {

/// Adds `parserStart` of lib/native/binding-examples.ts.
void ExportParseJob(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_PARSE_JOB_H_
