#ifndef TFR_CORE_EXAMPLE_TYPE_RECORD_TYPE_H_
#define TFR_CORE_EXAMPLE_TYPE_RECORD_TYPE_H_

#include <cstdint>

#include "core/example/wire/wire.h"

namespace tfr {

/// The message that a record holds. TFRecord does not store it.
enum class RecordType : uint8_t {
  kUnknown = 0,
  kExample = 1,
  kSequenceExample = 2,
  kEvent = 3,                   ///< TensorBoard's.
  kExampleListWithContext = 4,  ///< TF-Ranking's.
  kPredictionLog = 5,           ///< TensorFlow Serving's.
  /// An Example or SequenceExample that has features, and fields beside them
  /// that these messages do not have.
  kExtendedExample = 6,
};

/// Returns the type whose grammar all bytes of `record` fit: field numbers,
/// wire types, lengths, the form of map entries, UTF-8 of names. The empty
/// record is an Example. An Example has the bytes of a SequenceExample without
/// lists, and counts as an Example.
RecordType RecordTypeOf(Span record);

/// True if `record` is no Example, SequenceExample or Event: protobuf would
/// read it as an Example without values. The usual Example costs the look at
/// its first feature.
bool IsForeign(Span record);

/// The type of `record` if it is clearly not the one that is read: an Event,
/// or, unless `sequence`, a SequenceExample. Else kExample. The usual record
/// costs the look at its first bytes.
RecordType OtherTypeOf(Span record, bool sequence);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_TYPE_RECORD_TYPE_H_
