#ifndef TFR_CORE_CONTENT_SIGNATURE_H_
#define TFR_CORE_CONTENT_SIGNATURE_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// How many first bytes `SignatureOf` wants to see.
inline constexpr size_t kSignatureBytes = 512;

/// Names what a stream that is no TFRecord looks like from its first bytes
/// ("a zip archive", "text"), as a literal for error messages; null when
/// nothing known. Not to be asked about streams whose first length is right.
const char* SignatureOf(const uint8_t* data, size_t size);

/// True when the bytes are printable text.
bool LooksLikeText(const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_SIGNATURE_H_
