#ifndef TFR_CORE_IO_BYTE_SINK_H_
#define TFR_CORE_IO_BYTE_SINK_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/cancel.h"
#include "core/base/fault.h"

namespace tfr {

/// Result of one call on a sink.
struct SinkStep {
  enum class State : uint8_t {
    kReady,  ///< Done, or `taken` bytes of it; call again for the rest.
    kWait,   ///< Not possible yet (a pipe is full): see `WhenReady`.
    kFault,  ///< Failed with `fault`.
  };
  State state = State::kReady;
  size_t taken = 0;
  Fault fault;

  static SinkStep Took(size_t bytes) { return {State::kReady, bytes, {}}; }
  static SinkStep Wait() { return {State::kWait, 0, {}}; }
  static SinkStep Failed(Fault fault) { return {State::kFault, 0, fault}; }
};

// `Fault::detail` of system faults; TypeScript turns them into messages.
/// Another sink of this process is writing the file in place.
inline constexpr const char* kInUse = "in use";
/// Windows: the file is open elsewhere, in this process or another, and not
/// shared.
inline constexpr const char* kHeld = "held";
/// The file has its final name, but syncing its folder failed.
inline constexpr const char* kNamed = "named";

/// Destination of a writer's bytes. Calls come one at a time, from any thread.
/// No call blocks on an event that may never happen, such as a reader opening a
/// pipe: it returns `kWait` instead, so that it holds no pool thread and
/// cancelling stays quick.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  /// Abandons an uncommitted output.
  virtual ~ByteSink() = default;

  /// Must be the first call.
  virtual SinkStep Open() = 0;

  /// Writes 1 to `kPollBytes` of the `size` > 0 bytes.
  virtual SinkStep Write(const uint8_t* data, size_t size) = 0;

  /// After `kWait`: calls `ready` once, on any thread and perhaps before this
  /// returns, when the waiting call is worth retrying or soon after `cancel` is
  /// cancelled. No other call may come before that, and `cancel` must stay
  /// valid until then. `ready` must only hand work over.
  virtual void WhenReady(const CancelToken& cancel,
                         const std::function<void()>& ready) {
    static_cast<void>(cancel);
    ready();
  }

  /// Flushes the written bytes to the disk, if the sink has one.
  virtual Fault Sync() = 0;

  /// Ends the output and publishes it under its name. After a fault nothing
  /// appears, if the sink can hold the output back, unless the fault's detail
  /// is `kNamed`. Only `Abandon` may follow.
  virtual Fault Commit() = 0;

  /// After `Commit`: true if the replaced file is not the one that existed when
  /// this sink was opened.
  virtual bool replaced_other() const { return false; }

  /// Ends the output; nothing appears, if the sink can hold it back. Does
  /// nothing after `Commit`, nor a second time.
  virtual void Abandon() = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_BYTE_SINK_H_
