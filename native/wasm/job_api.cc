#include "wasm/exports.h"
#include "wasm/job.h"

namespace tfr::wasm {

/// The result of a settled job: valid until the next report.
TFR_EXPORT(tfr_job_result)
const double* tfr_job_result(Job* job) {
  return Guarded([job] {
    Report& report = Report::New();
    job->Result(&report);
    return report.data();
  });
}

TFR_EXPORT(tfr_job_free)
void tfr_job_free(Job* job) { delete job; }

}  // namespace tfr::wasm
