#ifndef TFR_ADDON_READ_ARGUMENTS_H_
#define TFR_ADDON_READ_ARGUMENTS_H_

#include <cstddef>

#include "addon/napi_setup.h"
#include "core/record/record_stream.h"

namespace tfr::addon {

/// The arguments compression, verify and maxRecordBytes, from `at` on. Throws
/// for what TypeScript should not have let through.
RecordStreamOptions ReadOptionsAt(const Napi::CallbackInfo& info, size_t at);

}  // namespace tfr::addon

#endif  // TFR_ADDON_READ_ARGUMENTS_H_
