#include "core/io/file_sink.h"

#include <algorithm>
#include <utility>

#include "wasm/exports.h"
#include "wasm/host.h"
#include "wasm/host_fault.h"

// Files that JavaScript writes: lib/native/wasm/node-file-sink.ts follows the
// contract of core/io/file_sink.h.
namespace tfr {
namespace {

/// The result of a call that may have to wait.
constexpr int32_t kWaits = 0x7fffffff;

class HostFileSink final : public ByteSink {
 public:
  HostFileSink(const std::string& path, bool atomic)
      : sink_(tfr_host_sink_new(path.data(), path.size(), atomic)) {}
  ~HostFileSink() override {
    HostFileSink::Abandon();
    tfr_host_sink_free(sink_);
  }

  SinkStep Open() override { return StepOf(tfr_host_sink_open(sink_)); }

  SinkStep Write(const uint8_t* data, size_t size) override {
    return StepOf(tfr_host_sink_write(sink_, data, std::min(size, kPollBytes)));
  }

  void WhenReady(const CancelToken& /*cancel*/,
                 const std::function<void()>& ready) override {
    // JavaScript passes it to `tfr_ready` after some milliseconds.
    tfr_host_wait(new std::function<void()>(ready));
  }

  Fault Sync() override { return FaultOf(tfr_host_sink_sync(sink_)); }
  Fault Commit() override { return FaultOf(tfr_host_sink_commit(sink_)); }
  bool replaced_other() const override {
    return tfr_host_sink_replaced_other(sink_);
  }
  void Abandon() override { tfr_host_sink_abandon(sink_); }

 private:
  static Fault FaultOf(int32_t result) {
    return result < 0 ? wasm::HostFault(result) : Fault();
  }
  static SinkStep StepOf(int32_t result) {
    if (result == kWaits) return SinkStep::Wait();
    if (result < 0) return SinkStep::Failed(wasm::HostFault(result));
    return SinkStep::Took(static_cast<size_t>(result));
  }

  const int32_t sink_;
};

}  // namespace

// core/io/file_sink.h declares it so.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
std::unique_ptr<ByteSink> NewFileSink(std::string path, bool atomic) {
  return std::make_unique<HostFileSink>(path, atomic);
}

namespace wasm {

/// Ends a wait that `tfr_host_wait` began.
TFR_EXPORT(tfr_ready)
void tfr_ready(std::function<void()>* waiter) {
  const std::unique_ptr<std::function<void()>> owned(waiter);
  (*owned)();
}

}  // namespace wasm
}  // namespace tfr
