#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "core/deflate/implementations.h"

namespace tfr {
namespace {

/// Matches TensorFlow; zlib's default is 8.
constexpr int kZlibMemLevel = 9;

/// Passes buffers of any size to a zlib stream, whose counters have 32 bits,
/// one piece at a time.
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

  /// Call before each zlib call.
  void Open() {
    in_piece_ = Piece(in_left_);
    out_piece_ = Piece(out_left_);
    // zlib rejects null pointers, even for empty buffers.
    stream_->next_in = const_cast<Bytef*>(in_ == nullptr ? &nothing_ : in_);
    stream_->avail_in = in_piece_;
    stream_->next_out = out_ == nullptr ? &nothing_ : out_;
    stream_->avail_out = out_piece_;
  }

  /// Call after each zlib call. Returns true if zlib made progress.
  bool Close() {
    const uInt read = in_piece_ - stream_->avail_in;
    const uInt wrote = out_piece_ - stream_->avail_out;
    if (read > 0) in_ += read;
    if (wrote > 0) out_ += wrote;
    in_left_ -= read;
    out_left_ -= wrote;
    return read > 0 || wrote > 0;
  }

  /// Between `Open` and `Close`: true if this is the last piece of input.
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

class ZlibInflater final : public StreamInflater {
 public:
  ~ZlibInflater() override { inflateEnd(&stream_); }

  bool Init() { return inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }

  void Reset() override {
    inflateReset(&stream_);
    stops_ = at_block_ = false;
    last_byte_ = 0;
  }

  InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                      size_t out_size) override {
    ZlibWindow window(&stream_, in, in_size, out, out_size);
    int result;
    bool progress;
    do {
      window.Open();
      result = inflate(&stream_, stops_ ? Z_BLOCK : Z_NO_FLUSH);
      progress = window.Close();
      at_block_ = stops_ && result == Z_OK && AtBlock();
    } while (progress && result == Z_OK && !at_block_);
    InflateStep step;
    step.consumed = window.consumed();
    step.produced = window.produced();
    if (step.consumed > 0) last_byte_ = in[step.consumed - 1];
    step.status = at_block_ ? InflateStatus::kPoint : Status(result);
    return step;
  }

  SaveResult Save(ByteBuffer* state, size_t* unread) override {
    stops_ = !at_block_;
    if (!at_block_) return SaveResult::kLater;
    if (!state->Reserve(kStateHead + kMostWindow)) return SaveResult::kNoMemory;
    const unsigned bits = stream_.data_type & 7;
    uInt size = 0;
    inflateGetDictionary(&stream_, state->data() + kStateHead, &size);
    state->data()[0] = static_cast<uint8_t>(bits);
    state->data()[1] = static_cast<uint8_t>(last_byte_ >> (8 - bits));
    state->Resize(kStateHead + size);
    *unread = 0;
    return SaveResult::kSaved;
  }

  bool Restore(const uint8_t* state, size_t size) override {
    Reset();
    if (!IsPortableState(state, size)) return false;
    return inflatePrime(&stream_, state[0], state[1]) == Z_OK &&
           inflateSetDictionary(&stream_, state + kStateHead,
                                static_cast<uInt>(size - kStateHead)) == Z_OK;
  }

 private:
  /// True after a block that is not the last one.
  bool AtBlock() const {
    return (stream_.data_type & 128) != 0 && (stream_.data_type & 64) == 0;
  }

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
  /// Stops between blocks, until the state was saved.
  bool stops_ = false;
  bool at_block_ = false;
  uint8_t last_byte_ = 0;
};

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

  // zlib's own bound (`deflateBound`) for these parameters, at any level,
  // computed in size_t; the rest covers the end of a part.
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
    // Only room left over shows that zlib finished the flush; its result does
    // not.
    const bool room = stream_.avail_out > 0;
    window.Close();
    return result == Z_OK && room ? window.produced() : 0;
  }

 private:
  z_stream stream_ = {};
};

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
      // Only room left over shows that zlib finished the flush; its result does
      // not.
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

std::unique_ptr<StreamInflater> NewZlibInflater() {
  std::unique_ptr<ZlibInflater> inflater(new (std::nothrow) ZlibInflater);
  if (inflater == nullptr || !inflater->Init()) return nullptr;
  return inflater;
}

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

std::unique_ptr<StreamDeflater> NewZlibDeflater(int level) {
  std::unique_ptr<ZlibDeflater> deflater(new (std::nothrow) ZlibDeflater);
  if (deflater == nullptr || !deflater->Init(level)) return nullptr;
  return deflater;
}

}  // namespace tfr
