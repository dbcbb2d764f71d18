#ifndef TFR_WASM_HOST_FAULT_H_
#define TFR_WASM_HOST_FAULT_H_

#include <cstdint>

#include "core/base/fault.h"

namespace tfr::wasm {

/// Returns the fault for a negative result of a call to the host (host.h):
/// minus the sum of the errno, 4096 times the index of the failed system call,
/// and 65,536 times that of the detail. `CALLS` and `DETAILS` of
/// lib/native/wasm/host.ts have the same order.
Fault HostFault(int32_t result);

}  // namespace tfr::wasm

#endif  // TFR_WASM_HOST_FAULT_H_
