#include <zlib.h>

#include <new>

#include "core/codec/implementations.h"
#include "core/codec/zlib_window.h"

namespace tfr {
namespace {

class ZlibDeflater final : public StreamDeflater {
 public:
  ~ZlibDeflater() override { deflateEnd(&stream_); }

  bool Init(int level) {
    return deflateInit2(&stream_, level, Z_DEFLATED, -MAX_WBITS, kZlibMemLevel,
                        Z_DEFAULT_STRATEGY) == Z_OK;
  }

  void Reset() override { deflateReset(&stream_); }

  DeflateStep Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                      size_t out_size, DeflateFlush flush) override {
    ZlibWindow window(&stream_, in, in_size, out, out_size);
    int result;
    bool last;
    bool room;
    do {
      window.Open();
      last = window.last();
      result = deflate(&stream_, last ? Mode(flush) : Z_NO_FLUSH);
      // zlib signals a finished flush by room left, not by its result.
      room = stream_.avail_out > 0;
    } while (window.Close() && result == Z_OK && !(last && room));
    DeflateStep step;
    step.consumed = window.consumed();
    step.produced = window.produced();
    step.done = flush == DeflateFlush::kEnd ? result == Z_STREAM_END
                                            : step.consumed == in_size && room;
    return step;
  }

 private:
  static int Mode(DeflateFlush flush) {
    switch (flush) {
      case DeflateFlush::kSync:
        return Z_SYNC_FLUSH;
      case DeflateFlush::kEnd:
        return Z_FINISH;
      case DeflateFlush::kNone:
        break;
    }
    return Z_NO_FLUSH;
  }

  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<StreamDeflater> NewZlibDeflater(int level) {
  std::unique_ptr<ZlibDeflater> deflater(new (std::nothrow) ZlibDeflater);
  if (deflater == nullptr || !deflater->Init(level)) return nullptr;
  return deflater;
}

}  // namespace tfr
