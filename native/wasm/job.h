#ifndef TFR_WASM_JOB_H_
#define TFR_WASM_JOB_H_

#include "wasm/host.h"
#include "wasm/report.h"

namespace tfr::wasm {

/// Work that settles one promise. JavaScript learns of its end through
/// `host::Settled`, asks for the result, and frees it.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Writes what the promise resolves with.
  virtual void Result(Report* report) = 0;

  void Settle() { host::Settled(this); }
};

}  // namespace tfr::wasm

#endif  // TFR_WASM_JOB_H_
