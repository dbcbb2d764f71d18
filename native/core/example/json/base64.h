#ifndef TFR_CORE_EXAMPLE_JSON_BASE64_H_
#define TFR_CORE_EXAMPLE_JSON_BASE64_H_

#include <cstdint>
#include <vector>

#include "core/example/wire/wire.h"

namespace tfr {

/// Appends the bytes of `text`: base64 (RFC 4648, section 4) with padding, and
/// without bits that are not used. Returns false for other text.
bool AddBase64Bytes(Span text, std::vector<uint8_t>* bytes);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_BASE64_H_
