#include <zlib.h>

#include <memory>
#include <new>
#include <utility>

#include "core/codec/implementations.h"
#include "core/codec/zlib_window.h"

namespace tfr {
namespace {

class ZlibBlockInflater final : public BlockInflater {
 public:
  explicit ZlibBlockInflater(std::unique_ptr<StreamInflater> inflater)
      : inflater_(std::move(inflater)) {}

  bool Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
               size_t out_size) override {
    inflater_->Reset();
    const InflateStep step = inflater_->Inflate(in, in_size, out, out_size);
    return step.status == InflateStatus::kEnd && step.consumed == in_size &&
           step.produced == out_size;
  }

 private:
  const std::unique_ptr<StreamInflater> inflater_;
};

class ZlibBlockDeflater final : public BlockDeflater {
 public:
  ~ZlibBlockDeflater() override { deflateEnd(&stream_); }

  bool Init(int level) {
    return deflateInit2(&stream_, level, Z_DEFLATED, -MAX_WBITS, kZlibMemLevel,
                        Z_DEFAULT_STRATEGY) == Z_OK;
  }

  // zlib's own bound (`deflateBound`) for the parameters above, at any level,
  // counted in size_t; the rest covers the end of a part.
  size_t Bound(size_t in_size) const override {
    return in_size + in_size / 8 + in_size / 64 + 64;
  }

  size_t Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                 size_t out_size) override {
    deflateReset(&stream_);
    ZlibWindow window(&stream_, in, in_size, out, out_size);
    int result;
    do {
      window.Open();
      result = deflate(&stream_, window.last() ? Z_FINISH : Z_NO_FLUSH);
    } while (window.Close() && result == Z_OK);
    return result == Z_STREAM_END ? window.produced() : 0;
  }

  size_t DeflatePart(const uint8_t* in, size_t in_size, uint8_t* out,
                     size_t out_size) override {
    deflateReset(&stream_);
    ZlibWindow window(&stream_, in, in_size, out, out_size);
    window.Open();
    const int result = deflate(&stream_, Z_SYNC_FLUSH);
    // zlib signals a finished flush by room left, not by its result.
    const bool room = stream_.avail_out > 0;
    window.Close();
    return result == Z_OK && room ? window.produced() : 0;
  }

 private:
  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<BlockInflater> NewZlibBlockInflater() {
  std::unique_ptr<StreamInflater> inflater = NewZlibInflater();
  if (inflater == nullptr) return nullptr;
  return std::make_unique<ZlibBlockInflater>(std::move(inflater));
}

std::unique_ptr<BlockDeflater> NewZlibBlockDeflater(int level) {
  std::unique_ptr<ZlibBlockDeflater> deflater(new (std::nothrow)
                                                  ZlibBlockDeflater);
  if (deflater == nullptr || !deflater->Init(level)) return nullptr;
  return deflater;
}

}  // namespace tfr
