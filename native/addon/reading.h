#ifndef TFR_ADDON_READING_H_
#define TFR_ADDON_READING_H_

#include <memory>

#include "addon/base/env_state.h"
#include "addon/base/napi_setup.h"
#include "core/io/fed_source.h"
#include "core/io/range_source.h"
#include "core/record/reader_spec.h"

/// Arguments and jobs shared by all readers.
namespace tfr::addon {

/// Decodes a `ReaderSpec` of lib/native/binding.ts. Throws for values that
/// TypeScript should have refused.
ReaderSpec DecodeSpec(const Napi::Value& given);

/// Feeds the second argument, a chunk, to `source`; the third says whether it
/// is the last. Throws when memory runs out, or if `source` is null.
void Feed(const Napi::CallbackInfo& info, FedSource* source);

/// Returns the source of a reader with `spec` that JavaScript feeds by ranges.
/// `size` is undefined if it is unknown.
std::unique_ptr<RangeSource> NewRangeSource(const Napi::Value& size,
                                            const Napi::Value& most_ahead,
                                            const ReaderSpec& spec);

// These three throw if `source` is null.

/// Feeds the arguments position and bytes, at 1 and 2. Throws when memory runs
/// out.
void FeedRange(const Napi::CallbackInfo& info, RangeSource* source);
/// Ends the source at the argument 1.
void EndRanges(const Napi::CallbackInfo& info, RangeSource* source);
/// Returns the result of `readerWants`.
Napi::Value WantsValue(const Napi::CallbackInfo& info,
                       const RangeSource* source);

/// The source of a reader if JavaScript feeds it, as a stream or by ranges;
/// else null.
struct Fed {
  FedSource* stream = nullptr;
  RangeSource* ranges = nullptr;
};

/// Returns the handle of a reader, as `readerOpenFile` does.
Napi::Value ReaderValue(Napi::Env env, std::shared_ptr<SlabReader> slabs,
                        const Fed& fed = {});

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
