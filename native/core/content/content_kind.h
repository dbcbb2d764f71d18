#ifndef TFR_CORE_CONTENT_CONTENT_KIND_H_
#define TFR_CORE_CONTENT_CONTENT_KIND_H_

#include <cstddef>
#include <cstdint>

#include "core/compression/compression.h"

namespace tfr {

/// Most bytes at the start of text or raw data that `KindOfBytes` looks at.
inline constexpr size_t kProbeBytes = 4096;

/// How many of them it must see, by those that are there: two unless they look
/// compressed.
size_t ProbeSize(const uint8_t* head, size_t size);

/// What text or raw data that begins with `head` is. `whole`: nothing follows.
Compression KindOfBytes(const uint8_t* head, size_t size, bool whole);

/// True if content of `kind`, kGzip or kZlib, may begin with `head`.
bool MayBegin(Compression kind, const uint8_t* head, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_CONTENT_KIND_H_
