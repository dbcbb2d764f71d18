#ifndef TFR_CORE_DEFLATE_ISAL_LIBRARY_H_
#define TFR_CORE_DEFLATE_ISAL_LIBRARY_H_

#if defined(TFR_HAVE_ISAL)

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

namespace tfr {

/// The functions of ISA-L that we call. The library is not linked but loaded at
/// run time: from beside our own binary, else from the system's library path.
/// Without it, other implementations are used.
struct IsalLibrary {
  decltype(&::isal_inflate_init) isal_inflate_init;
  decltype(&::isal_inflate_set_dict) isal_inflate_set_dict;
  decltype(&::isal_inflate) isal_inflate;
  decltype(&::isal_deflate_stateless_init) isal_deflate_stateless_init;
  decltype(&::isal_deflate_stateless) isal_deflate_stateless;
  decltype(&::crc32_gzip_refl) crc32_gzip_refl;
  decltype(&::isal_adler32) isal_adler32;
};

/// Returns null if the library is not available. Loads it on the first call and
/// never unloads it. Thread-safe.
const IsalLibrary* LoadIsal();

}  // namespace tfr

#endif  // TFR_HAVE_ISAL

#endif  // TFR_CORE_DEFLATE_ISAL_LIBRARY_H_
