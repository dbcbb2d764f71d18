#ifndef TFR_CORE_IO_MEMORY_SINK_H_
#define TFR_CORE_IO_MEMORY_SINK_H_

#include <utility>
#include <vector>

#include "core/io/byte_sink.h"

namespace tfr {

/// Collects the output until it is taken: for writers whose bytes JavaScript
/// passes on.
class MemorySink final : public ByteSink {
 public:
  SinkStep Open() override { return SinkStep::Took(0); }

  SinkStep Write(const uint8_t* data, size_t size) override {
    bytes_.insert(bytes_.end(), data, data + size);
    return SinkStep::Took(size);
  }

  Fault Sync() override { return {}; }
  Fault Commit() override { return {}; }
  void Abandon() override { bytes_.clear(); }

  /// What was written since the last call.
  std::vector<uint8_t> Take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_MEMORY_SINK_H_
