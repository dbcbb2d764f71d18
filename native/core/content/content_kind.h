#ifndef TFR_CORE_CONTENT_CONTENT_KIND_H_
#define TFR_CORE_CONTENT_CONTENT_KIND_H_

#include <cstddef>
#include <cstdint>

#include "core/compression/compression.h"

namespace tfr {

/// Maximum number of leading bytes that `KindOfBytes` examines.
inline constexpr size_t kProbeBytes = 4096;

/// Returns how many leading bytes `KindOfBytes` needs, given those available so
/// far: two, unless they look compressed.
size_t ProbeSize(const uint8_t* head, size_t size);

/// Detects the compression of text or raw data that begins with `head`.
/// `whole`: `head` is the entire data.
Compression KindOfBytes(const uint8_t* head, size_t size, bool whole);

/// True if data compressed as `kind`, kGzip or kZlib, may begin with `head`.
bool MayBegin(Compression kind, const uint8_t* head, size_t size);

/// True if `head` is the start of valid data compressed as `kind`, kGzip or
/// kZlib, that inflates to something, or a whole stream of it.
bool InflatesAs(Compression kind, const uint8_t* head, size_t size);

/// True if no valid data compressed as `kind`, kGzip or kZlib, begins with
/// `head`.
bool CannotInflateAs(Compression kind, const uint8_t* head, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_CONTENT_KIND_H_
