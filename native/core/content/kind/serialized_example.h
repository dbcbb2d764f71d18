#ifndef TFR_CORE_CONTENT_KIND_SERIALIZED_EXAMPLE_H_
#define TFR_CORE_CONTENT_KIND_SERIALIZED_EXAMPLE_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

enum class BareMessage : uint8_t {
  kNone,
  kExample,
  kSequenceExample,
  /// The message continues after the bytes. It may then also be the first
  /// record of a file that lost its first bytes: a checksum would follow it.
  kCutExample,
  kCutSequenceExample,
};

/// Detects a serialized Example or SequenceExample without the framing of a
/// record. `data` is the start of the stream, which may continue after it.
///
/// Strict, because a damaged TFRecord must never pass for a message: every byte
/// must belong to fields that Examples have, no field may run past its parent,
/// keys must be printable text, and the first feature must show its key and its
/// kind. A length below 2^32 in the first 8 bytes never passes: its zeros would
/// be an empty or a binary key.
BareMessage BareMessageAt(const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_KIND_SERIALIZED_EXAMPLE_H_
