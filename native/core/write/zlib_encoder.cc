#include <algorithm>
#include <new>
#include <utility>

#include "core/compression/checksum.h"
#include "core/compression/zlib_format.h"
#include "core/deflate/registry.h"
#include "core/write/frame_sums.h"
#include "core/write/slab_encoder.h"

namespace tfr {
namespace {

constexpr size_t kOutputSize = kPollBytes;

/// Writes one stream for all slabs, because TensorFlow ignores all but the
/// first stream. So deflating belongs to the ordered phase.
class ZlibEncoder final : public SlabEncoder {
 public:
  ZlibEncoder(int level, std::unique_ptr<StreamDeflater> deflater,
              std::unique_ptr<uint8_t[]> output)
      : level_(level),
        deflater_(std::move(deflater)),
        output_(std::move(output)) {}

  Fault Prepare(const Slab& slab, const CancelToken& cancel,
                std::unique_ptr<PreparedSlab>*) override {
    return EnsureFrameSums(slab, cancel);
  }

  void Add(const Slab& slab, std::unique_ptr<PreparedSlab>) override {
    input_ = slab.data;
    left_ = slab.size;
    unflushed_ = true;
    Announce(DeflateFlush::kNone);
  }

  void Flush() override {
    if (std::exchange(unflushed_, false)) Announce(DeflateFlush::kSync);
  }

  Fault End() override {
    Announce(DeflateFlush::kEnd);
    return {};
  }

  Output Next(uint64_t) override {
    if (!busy_) return {};
    size_t size = 0;
    if (!std::exchange(started_, true)) {
      StoreZlibHeader(output_.get(), level_);
      size = kZlibHeaderSize;
    }
    size += Deflate(size);
    return {output_.get(), size, busy_};
  }

 private:
  void Announce(DeflateFlush flush) {
    flush_ = flush;
    busy_ = true;
  }

  /// Deflates one step into the output after `filled`. Returns the number of
  /// bytes written.
  size_t Deflate(size_t filled) {
    const size_t step = std::min(left_, kPollBytes);
    const DeflateFlush flush = step < left_ ? DeflateFlush::kNone : flush_;
    const DeflateStep result = deflater_->Deflate(
        input_, step, output_.get() + filled, kOutputSize - filled, flush);
    adler_ = Adler32(adler_, input_, result.consumed);
    input_ += result.consumed;
    left_ -= result.consumed;
    if (!result.done || left_ > 0) return result.produced;
    busy_ = false;
    if (flush_ != DeflateFlush::kEnd) return result.produced;
    StoreZlibTrailer(output_.get() + filled + result.produced, adler_);
    return result.produced + kZlibTrailerSize;
  }

  const int level_;
  const std::unique_ptr<StreamDeflater> deflater_;
  /// `kOutputSize` bytes, then room for the trailer.
  const std::unique_ptr<uint8_t[]> output_;
  const uint8_t* input_ = nullptr;
  size_t left_ = 0;
  DeflateFlush flush_ = DeflateFlush::kNone;
  uint32_t adler_ = 1;
  bool busy_ = false;
  bool started_ = false;
  bool unflushed_ = false;
};

}  // namespace

std::unique_ptr<SlabEncoder> NewZlibEncoder(int level) {
  std::unique_ptr<StreamDeflater> deflater = NewStreamDeflater(level);
  std::unique_ptr<uint8_t[]> output(
      new (std::nothrow) uint8_t[kOutputSize + kZlibTrailerSize]);
  if (!deflater || !output) return nullptr;
  return std::make_unique<ZlibEncoder>(level, std::move(deflater),
                                       std::move(output));
}

}  // namespace tfr
