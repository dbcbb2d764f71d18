#ifndef TFR_WASM_TASKS_H_
#define TFR_WASM_TASKS_H_

namespace tfr::wasm {

/// Runs the oldest task of the pool. Returns false if there is none.
bool RunTask();

}  // namespace tfr::wasm

#endif  // TFR_WASM_TASKS_H_
