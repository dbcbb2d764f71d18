#ifndef TFR_ADDON_FILL_VALUE_H_
#define TFR_ADDON_FILL_VALUE_H_

#include <cstdint>

#include "addon/napi_setup.h"
#include "core/record/record_stream.h"

namespace tfr::addon {

/// A fill as the plain object that `FillResult` in lib/native/binding.ts
/// declares.
Napi::Value FillValue(Napi::Env env, const Fill& fill);

}  // namespace tfr::addon

#endif  // TFR_ADDON_FILL_VALUE_H_
