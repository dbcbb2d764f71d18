#ifndef TFR_CORE_IO_FED_SOURCE_H_
#define TFR_CORE_IO_FED_SOURCE_H_

#include <cerrno>
#include <deque>
#include <memory>
#include <mutex>

#include "core/io/byte_source.h"

namespace tfr {

/// A source that another thread feeds with the chunks of a stream. Chunks are
/// copied, so the feeder may change or detach its memory at once. `Feed` may
/// run concurrently with the reading calls.
class FedSource final : public ByteSource {
 public:
  /// Queues a copy of the bytes, which may be none; `last` ends the source
  /// after them. Returns false, with nothing queued, when memory runs out.
  [[nodiscard]] bool Feed(const uint8_t* data, size_t size, bool last);

  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault* fault) override;
  bool StepBack(uint64_t) override { return false; }
  uint64_t StepOver(uint64_t) override { return 0; }
  uint64_t Remaining() override { return kUnknown; }
  uint64_t TotalBytes() const override { return kUnknown; }
  uint64_t Position() const override { return kUnknown; }
  ReadState ReadAt(uint64_t, uint8_t*, size_t, size_t* got,
                   Fault* fault) const override {
    *got = 0;
    *fault = SystemFault(ENOTSUP, "read");
    return ReadState::kFault;
  }
  bool MayRunDry() const override { return true; }
  void Close() override;

 private:
  struct Chunk {
    std::unique_ptr<uint8_t[]> data;
    size_t size = 0;
    size_t taken = 0;
  };

  std::mutex mutex_;
  std::deque<Chunk> chunks_;
  bool ended_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_FED_SOURCE_H_
