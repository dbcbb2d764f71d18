#ifndef TFR_CORE_EXAMPLE_TYPE_MESSAGE_GRAMMARS_H_
#define TFR_CORE_EXAMPLE_TYPE_MESSAGE_GRAMMARS_H_

#include <cstdint>

#include "core/example/type/grammar.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Grammars of the messages that records hold. Parts that are not needed to
/// tell these apart may be any bytes.
extern const Grammar kExampleGrammar;
extern const Grammar kSequenceExampleGrammar;
extern const Grammar kEventGrammar;          ///< TensorBoard's.
extern const Grammar kExampleListGrammar;    ///< TF-Ranking's, with context.
extern const Grammar kPredictionLogGrammar;  ///< TensorFlow Serving's.

/// Tag of an Event's wall time.
inline constexpr uint32_t kWallTimeTag = Fixed64Tag(1);

/// Tag of a PredictionLog's metadata. Its other fields are logs of a call.
inline constexpr uint32_t kMetadataTag = LengthTag(1);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_TYPE_MESSAGE_GRAMMARS_H_
