#ifndef TFR_ADDON_FAULT_VALUE_H_
#define TFR_ADDON_FAULT_VALUE_H_

#include <cstdint>

#include "addon/napi_setup.h"
#include "core/base/fault.h"

namespace tfr::addon {

/// Returns `Fault` of lib/native/binding.ts; undefined for no fault.
Napi::Value FaultValue(Napi::Env env, const Fault& fault);

/// Returns a position as a number; undefined for kUnknown.
Napi::Value PlaceValue(Napi::Env env, uint64_t place);

}  // namespace tfr::addon

#endif  // TFR_ADDON_FAULT_VALUE_H_
