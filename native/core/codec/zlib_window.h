#ifndef TFR_CORE_CODEC_ZLIB_WINDOW_H_
#define TFR_CORE_CODEC_ZLIB_WINDOW_H_

#include <zlib.h>

#include <cstddef>
#include <cstdint>

namespace tfr {

/// TensorFlow's setting; zlib's own default is 8.
inline constexpr int kZlibMemLevel = 9;

/// Shows a zlib stream, whose counters have 32 bits, buffers of any size: a
/// piece of each at a time.
class ZlibWindow {
 public:
  ZlibWindow(z_stream* stream, const uint8_t* in, size_t in_size, uint8_t* out,
             size_t out_size)
      : stream_(stream),
        in_(in),
        out_(out),
        in_left_(in_size),
        out_left_(out_size),
        in_size_(in_size),
        out_size_(out_size) {}

  /// Before each call of zlib.
  void Open() {
    in_piece_ = Piece(in_left_);
    out_piece_ = Piece(out_left_);
    // zlib takes null for an error, even with nothing to read or write.
    stream_->next_in = const_cast<Bytef*>(in_ == nullptr ? &nothing_ : in_);
    stream_->avail_in = in_piece_;
    stream_->next_out = out_ == nullptr ? &nothing_ : out_;
    stream_->avail_out = out_piece_;
  }

  /// After it: true when it made progress.
  bool Close() {
    const uInt read = in_piece_ - stream_->avail_in;
    const uInt wrote = out_piece_ - stream_->avail_out;
    if (read > 0) in_ += read;
    if (wrote > 0) out_ += wrote;
    in_left_ -= read;
    out_left_ -= wrote;
    return read > 0 || wrote > 0;
  }

  /// Between `Open` and `Close`: no input lies behind this piece.
  bool last() const { return in_piece_ == in_left_; }
  size_t consumed() const { return in_size_ - in_left_; }
  size_t produced() const { return out_size_ - out_left_; }

 private:
  static uInt Piece(size_t left) {
    constexpr size_t kMost = size_t{1} << 30;
    return static_cast<uInt>(left < kMost ? left : kMost);
  }

  z_stream* const stream_;
  const uint8_t* in_;
  uint8_t* out_;
  size_t in_left_;
  size_t out_left_;
  const size_t in_size_;
  const size_t out_size_;
  uInt in_piece_ = 0;
  uInt out_piece_ = 0;
  uint8_t nothing_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_CODEC_ZLIB_WINDOW_H_
