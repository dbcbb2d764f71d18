#ifndef TFR_ADDON_READING_H_
#define TFR_ADDON_READING_H_

#include <cstddef>

#include "addon/env_state.h"
#include "addon/job.h"
#include "addon/napi_setup.h"
#include "core/io/fed_source.h"
#include "core/record/read_options.h"
#include "core/record/slab_reader.h"

/// Arguments and jobs of all readers.
namespace tfr::addon {

/// The arguments compression, verify and maxRecordBytes, from `at` on. Throws
/// for what TypeScript should not have let through.
ReadOptions ReadOptionsAt(const Napi::CallbackInfo& info, size_t at);

/// Feeds the arguments chunk and last, from 1 on, to `source`. Throws where
/// memory runs out, or `source` is null.
void Feed(const Napi::CallbackInfo& info, FedSource* source);

/// Resolves when a reader is closed.
class CloseJob : public Job, public SlabReader::Closing {
 public:
  explicit CloseJob(EnvState* env) : env_(env) {}

  void Closed() override { env_->Done(this); }
  Napi::Value Finish(Napi::Env env) override { return env.Undefined(); }

 private:
  EnvState* const env_;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_READING_H_
