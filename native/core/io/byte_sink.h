#ifndef TFR_CORE_IO_BYTE_SINK_H_
#define TFR_CORE_IO_BYTE_SINK_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"

namespace tfr {

/// What one call on a sink did.
struct SinkStep {
  enum class State : uint8_t {
    kReady,  ///< Done, or `taken` bytes of it; ask again for the rest.
    kWait,   ///< Not yet possible (a pipe is full): ask again later.
    kFault,  ///< Failed with `fault`.
  };
  State state = State::kReady;
  size_t taken = 0;
  Fault fault;

  static SinkStep Took(size_t bytes) { return {State::kReady, bytes, {}}; }
  static SinkStep Wait() { return {State::kWait, 0, {}}; }
  static SinkStep Failed(Fault fault) { return {State::kFault, 0, fault}; }
};

/// Where a writer's bytes go. One call at a time, from any thread. No call
/// blocks for long on something that may never come (the reader of a pipe), so
/// that no pool thread is held and cancelling stays quick: such calls return
/// `kWait` after a few milliseconds.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  /// Abandons what was not committed.
  virtual ~ByteSink() = default;

  /// First call.
  virtual SinkStep Open() = 0;

  /// Takes at least one byte, at most `kMaxStep`, of `size` > 0.
  virtual SinkStep Write(const uint8_t* data, size_t size) = 0;

  /// Brings what was written to the disk, where there is one.
  virtual Fault Sync() = 0;

  /// Ends the output and lets it appear under its name. On a fault nothing
  /// appears, if the sink can hold it back. Last call but `Abandon`.
  virtual Fault Commit() = 0;

  /// Ends the output; nothing appears, if the sink can hold it back. Does
  /// nothing after `Commit` or a second time.
  virtual void Abandon() = 0;

 protected:
  /// Between two steps a writer polls for cancelling.
  static constexpr size_t kMaxStep = 256 << 10;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_BYTE_SINK_H_
