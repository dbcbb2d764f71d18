#ifndef TFR_CORE_EXAMPLE_WIRE_VARINT_RUNS_H_
#define TFR_CORE_EXAMPLE_WIRE_VARINT_RUNS_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// The least number of bytes of which `ReadVarintRun` reads any: 64, whose ends
/// it finds at once, and room to read the longest varint behind them.
inline constexpr size_t kVarintRun = 74;

/// Reads the varints of a long list, `p` to `end`, to `*to`, and moves `*to`
/// past their values. It stops less than `kVarintRun` bytes before the end.
/// Returns the position after the last varint read; nullptr if one is longer
/// than ten bytes. `*to` needs room for as many values as there are bytes.
/// Reads nothing beyond `end`.
///
/// The ends of all varints in 64 bytes are found at once, as bits of a mask. So
/// their lengths decide no branch, unless a varint has nine or ten bytes.
const uint8_t* ReadVarintRun(const uint8_t* p, const uint8_t* end,
                             int64_t** to);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_WIRE_VARINT_RUNS_H_
