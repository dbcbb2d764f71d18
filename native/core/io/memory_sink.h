#ifndef TFR_CORE_IO_MEMORY_SINK_H_
#define TFR_CORE_IO_MEMORY_SINK_H_

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/buffers.h"
#include "core/io/byte_sink.h"

namespace tfr {

/// Collects the output until `Take`: for writers whose bytes JavaScript
/// delivers.
class MemorySink final : public ByteSink {
 public:
  SinkStep Open() override { return SinkStep::Took(0); }

  SinkStep Write(const uint8_t* data, size_t size) override {
    const size_t step = std::min(size, kPollBytes);
    if (!MakeRoom(step)) return SinkStep::Failed(MemoryFault());
    std::memcpy(bytes_->data() + bytes_->size(), data, step);
    bytes_->Resize(bytes_->size() + step);
    return SinkStep::Took(step);
  }

  Fault Sync() override { return {}; }
  Fault Commit() override { return {}; }
  void Abandon() override { bytes_.reset(); }

  /// Returns the bytes written since the last call; null if there are none.
  std::unique_ptr<ByteBuffer> Take() { return std::move(bytes_); }

 private:
  [[nodiscard]] bool MakeRoom(size_t size) {
    if (!bytes_) bytes_ = std::make_unique<ByteBuffer>();
    const size_t needed = bytes_->size() + size;
    if (needed <= bytes_->capacity()) return true;
    return bytes_->Reserve(std::max(needed, bytes_->capacity() * 2)) ||
           bytes_->Reserve(needed);
  }

  std::unique_ptr<ByteBuffer> bytes_;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_MEMORY_SINK_H_
