#include <zlib.h>

#include <new>

#include "core/codec/implementations.h"
#include "core/codec/zlib_window.h"

namespace tfr {
namespace {

class ZlibInflater final : public StreamInflater {
 public:
  ~ZlibInflater() override { inflateEnd(&stream_); }

  bool Init() { return inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }

  void Reset() override { inflateReset(&stream_); }

  InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                      size_t out_size) override {
    ZlibWindow window(&stream_, in, in_size, out, out_size);
    int result;
    do {
      window.Open();
      result = inflate(&stream_, Z_NO_FLUSH);
    } while (window.Close() && result == Z_OK);
    InflateStep step;
    step.consumed = window.consumed();
    step.produced = window.produced();
    step.status = Status(result);
    return step;
  }

 private:
  static InflateStatus Status(int result) {
    switch (result) {
      case Z_STREAM_END:
        return InflateStatus::kEnd;
      case Z_OK:
      case Z_BUF_ERROR:
        return InflateStatus::kMore;
      default:
        return InflateStatus::kError;
    }
  }

  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<StreamInflater> NewZlibInflater() {
  std::unique_ptr<ZlibInflater> inflater(new (std::nothrow) ZlibInflater);
  if (inflater == nullptr || !inflater->Init()) return nullptr;
  return inflater;
}

}  // namespace tfr
