#ifndef TFR_ADDON_NAPI_SETUP_H_
#define TFR_ADDON_NAPI_SETUP_H_

/// The only place that includes napi.h. The definitions that must come before
/// it (NAPI_VERSION and the rest) are set by the build files.
#include <napi.h>

#ifndef NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS
#error "build without it, and worker.terminate() aborts the process"
#endif

#endif  // TFR_ADDON_NAPI_SETUP_H_
