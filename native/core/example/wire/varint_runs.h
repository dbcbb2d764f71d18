#ifndef TFR_CORE_EXAMPLE_WIRE_VARINT_RUNS_H_
#define TFR_CORE_EXAMPLE_WIRE_VARINT_RUNS_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// `ReadVarintRun` reads nothing from fewer bytes than this: 64, whose varint
/// ends it finds at once, plus room to load the longest varint after them.
inline constexpr size_t kVarintRun = 74;

/// Decodes the varints of a long list from `p` on into `*to`, and advances
/// `*to`. Stops less than `kVarintRun` bytes before `end`. Returns the position
/// after the last varint decoded; nullptr if one is longer than ten bytes.
/// `*to` needs room for as many values as there are bytes. Reads nothing beyond
/// `end`.
///
/// The ends of all varints in 64 bytes are found at once, as bits of a mask, so
/// that no branch depends on their lengths unless one has nine or ten bytes.
const uint8_t* ReadVarintRun(const uint8_t* p, const uint8_t* end,
                             int64_t** to);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_WIRE_VARINT_RUNS_H_
