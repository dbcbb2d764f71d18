#ifndef TFR_CORE_CONTENT_KIND_SIGNATURE_H_
#define TFR_CORE_CONTENT_KIND_SIGNATURE_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// Number of leading bytes that `SignatureOf` needs.
inline constexpr size_t kSignatureBytes = 512;

/// Names the format of a stream that is not a TFRecord ("a zip archive",
/// "text") from its first bytes, for error messages. Returns a literal; null if
/// the format is unknown. Only for streams whose first length is invalid, and
/// that are not read as gzip or zlib: such data can only be inside other such
/// data.
///
/// A TFRecord whose first bytes are damaged must never get a name. So where the
/// first 8 bytes may be a record's length, a magic number in them does not
/// count; formats without a long magic number must be valid in all of `data`.
const char* SignatureOf(const uint8_t* data, size_t size);

/// True if the first 8 bytes are a length that records have: below 4 GiB.
bool MayBeLength(const uint8_t* data, size_t size);

/// True if the bytes are printable text.
bool LooksLikeText(const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_KIND_SIGNATURE_H_
