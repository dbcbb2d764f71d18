#ifndef TFR_ADDON_BASE_NAPI_SETUP_H_
#define TFR_ADDON_BASE_NAPI_SETUP_H_

/// The only header that includes napi.h. The build files set the definitions it
/// requires (NAPI_VERSION and others).
#include <napi.h>

#ifndef NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS
#error "build without it, and worker.terminate() aborts the process"
#endif

#endif  // TFR_ADDON_BASE_NAPI_SETUP_H_
