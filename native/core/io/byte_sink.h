#ifndef TFR_CORE_IO_BYTE_SINK_H_
#define TFR_CORE_IO_BYTE_SINK_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/cancel.h"
#include "core/base/fault.h"

namespace tfr {

/// What one call on a sink did.
struct SinkStep {
  enum class State : uint8_t {
    kReady,  ///< Done, or `taken` bytes of it; ask again for the rest.
    kWait,   ///< Not yet possible (a pipe is full): see `WhenReady`.
    kFault,  ///< Failed with `fault`.
  };
  State state = State::kReady;
  size_t taken = 0;
  Fault fault;

  static SinkStep Took(size_t bytes) { return {State::kReady, bytes, {}}; }
  static SinkStep Wait() { return {State::kWait, 0, {}}; }
  static SinkStep Failed(Fault fault) { return {State::kFault, 0, fault}; }
};

// Details of system faults; TypeScript turns them into messages.
/// Another sink of this process writes the file in place.
inline constexpr const char* kInUse = "in use";
/// The file has its name, but its folder could not be synced.
inline constexpr const char* kNamed = "named";

/// Where a writer's bytes go. One call at a time, from any thread. No call
/// blocks on something that may never come (the reader of a pipe), so that no
/// pool thread is held and cancelling stays quick: such calls return `kWait`.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  /// Abandons what was not committed.
  virtual ~ByteSink() = default;

  /// First call.
  virtual SinkStep Open() = 0;

  /// Takes at least one byte, at most `kPollBytes`, of `size` > 0.
  virtual SinkStep Write(const uint8_t* data, size_t size) = 0;

  /// After `kWait`: calls `ready` once, on any thread and perhaps before this
  /// returns, when the call that had to wait is worth another try, or soon
  /// after `cancel` was cancelled. Nothing else is called before. `cancel`
  /// stays valid until then; `ready` only hands work over.
  virtual void WhenReady(const CancelToken& cancel,
                         const std::function<void()>& ready) {
    static_cast<void>(cancel);
    ready();
  }

  /// Brings what was written to the disk, where there is one.
  virtual Fault Sync() = 0;

  /// Ends the output and lets it appear under its name. On a fault nothing
  /// appears, if the sink can hold it back, unless its detail is `kNamed`. Last
  /// call but `Abandon`.
  virtual Fault Commit() = 0;

  /// After `Commit`: true if the file that was replaced is not the one that was
  /// there when this sink was opened.
  virtual bool replaced_other() const { return false; }

  /// Ends the output; nothing appears, if the sink can hold it back. Does
  /// nothing after `Commit` or a second time.
  virtual void Abandon() = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_BYTE_SINK_H_
