#include <cstddef>
#include <cstring>
#include <new>

#include "core/deflate/implementations.h"
#include "core/deflate/isal_library.h"

#if defined(TFR_HAVE_ISAL)

namespace tfr {
namespace {

/// ISA-L's sizes have 32 bits.
uint32_t Piece(size_t size) {
  constexpr size_t kMost = size_t{1} << 30;
  return static_cast<uint32_t>(size < kMost ? size : kMost);
}

/// igzip first inflates into its own window (`tmp_out_buffer`), so it may
/// consume all input while output is still held back. It also loads up to eight
/// bytes of input ahead (`read_in`), which may belong to the data after the
/// stream.
///
/// When its fast loop meets an invalid distance, it counts the bytes of the
/// copy as output although it did not copy them. And it may detect a fault in a
/// block's header only after the whole header, or earlier if the input ends
/// inside. So the state is saved before each call, and a failed call is
/// repeated byte by byte, which makes igzip decode symbol by symbol: the count
/// is then right, and a stream fails at the same byte however the input is
/// split.
///
/// igzip does not stop between blocks. To find such a point, it gets its input
/// in slices that are shorter than most headers of blocks: where a slice ends
/// within a header, igzip has set the bytes of the header aside, and everything
/// before them is inflated.
///
/// For input cut inside a block, zlib may produce one or two bytes more: igzip
/// decodes up to three symbols at a time, once it has the bits of all of them.
class IsalInflater final : public StreamInflater {
 public:
  explicit IsalInflater(const IsalLibrary* library) : library_(library) {
    Reset();
  }

  void Reset() override {
    library_->isal_inflate_init(&state_);
    failed_ = stops_ = false;
    sliced_ = 0;
  }

  InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                      size_t out_size) override {
    InflateStep step;
    InflateStep kept;
    size_t unkept = kMostUnkept;
    uint32_t most = stops_ ? kSlice : Piece(in_size);
    while (!failed_ && state_.block_state != ISAL_BLOCK_FINISH) {
      const bool again = most > 1;
      if (again && unkept >= kMostUnkept) {
        Keep();
        kept = step;
        unkept = 0;
      }
      const size_t before = step.consumed;
      const bool progress = Advance(in, in_size, most, out, out_size, &step);
      if (failed_ && again) {
        TakeBack();
        step = kept;
        most = 1;
        continue;
      }
      if (!progress || step.consumed == in_size || step.produced == out_size) {
        break;
      }
      if (!stops_) {
        unkept = kMostUnkept;
        continue;
      }
      unkept += step.consumed - before;
      sliced_ += step.consumed - before;
      if (MaySave()) {
        step.status = InflateStatus::kPoint;
        return step;
      }
    }
    if (failed_) step.produced += Drain(out, out_size, step.produced);
    step.status = Status();
    return step;
  }

  SaveResult Save(ByteBuffer* state, size_t* unread) override {
    if (failed_) return SaveResult::kLater;
    if (BetweenBlocks()) return SaveWindow(state, unread);
    if (sliced_ >= kMostSliced) return SaveAll(state, unread);
    stops_ = true;
    return SaveResult::kLater;
  }

  bool Restore(const uint8_t* state, size_t size) override {
    Reset();
    if (IsPortableState(state, size)) {
      state_.read_in = state[1];
      state_.read_in_length = state[0];
      // igzip does not change the window, although it has no const.
      return size == kStateHead ||
             library_->isal_inflate_set_dict(
                 &state_, const_cast<uint8_t*>(state) + kStateHead,
                 static_cast<uint32_t>(size - kStateHead)) == COMP_OK;
    }
    if (size < 1 + kBeforeWindow || size > 1 + sizeof state_ ||
        state[0] != kOwnState) {
      return false;
    }
    std::memcpy(static_cast<void*>(&state_), state + 1, size - 1);
    return size - 1 == SizeOf(state_);
  }

 private:
  static constexpr size_t kBeforeWindow =
      offsetof(inflate_state, tmp_out_buffer);
  /// Input per call while a point between blocks is looked for.
  static constexpr uint32_t kSlice = 64;
  /// Sliced input after which the state is kept again.
  static constexpr size_t kMostUnkept = size_t{16} << 10;
  /// Sliced input after which a stream counts as one whose blocks have no
  /// headers to speak of, and gets states of igzip's own.
  static constexpr size_t kMostSliced = size_t{1} << 20;

  /// True if all output before the next block was handed out, and the input
  /// after that is set aside.
  bool BetweenBlocks() const {
    return state_.block_state == ISAL_BLOCK_HDR && HeldBack() == 0 &&
           state_.read_in_length >= 0;
  }
  bool MaySave() const { return BetweenBlocks() || sliced_ >= kMostSliced; }

  SaveResult SaveWindow(ByteBuffer* state, size_t* unread) {
    stops_ = false;
    sliced_ = 0;
    const auto valid = static_cast<size_t>(state_.tmp_out_valid);
    const size_t window = valid < kMostWindow ? valid : kMostWindow;
    if (!state->Reserve(kStateHead + window)) return SaveResult::kNoMemory;
    const auto loaded = static_cast<unsigned>(state_.read_in_length);
    const unsigned bits = loaded % 8;
    state->data()[0] = static_cast<uint8_t>(bits);
    state->data()[1] =
        static_cast<uint8_t>(state_.read_in & ((1u << bits) - 1));
    std::memcpy(state->data() + kStateHead,
                state_.tmp_out_buffer + (valid - window), window);
    state->Resize(kStateHead + window);
    *unread = static_cast<size_t>(state_.tmp_in_size) + loaded / 8;
    return SaveResult::kSaved;
  }

  SaveResult SaveAll(ByteBuffer* state, size_t* unread) {
    if (!state->Reserve(1 + sizeof state_)) return SaveResult::kNoMemory;
    state->data()[0] = kOwnState;
    std::memcpy(state->data() + 1, &state_, SizeOf(state_));
    state->Resize(1 + SizeOf(state_));
    stops_ = false;
    *unread = 0;
    return SaveResult::kSaved;
  }

  /// Calls igzip once. Returns false if it made no progress.
  bool Advance(const uint8_t* in, size_t in_size, uint32_t most, uint8_t* out,
               size_t out_size, InflateStep* step) {
    const uint8_t* const in_start = in + step->consumed;
    uint8_t* const out_start = out + step->produced;
    const size_t left = in_size - step->consumed;
    const uint32_t in_piece = left < most ? static_cast<uint32_t>(left) : most;
    state_.next_in = const_cast<uint8_t*>(in_start);
    state_.avail_in = in_piece;
    state_.next_out = out_start;
    state_.avail_out = Piece(out_size - step->produced);
    failed_ = library_->isal_inflate(&state_) < 0;
    if (!failed_ || most == 1) GiveBack(in_piece - state_.avail_in);
    // From the pointers: after an error in the fast loop the counters are
    // wrong.
    const size_t read = static_cast<size_t>(state_.next_in - in_start);
    const size_t wrote = static_cast<size_t>(state_.next_out - out_start);
    step->consumed += read;
    step->produced += wrote;
    return read > 0 || wrote > 0;
  }

  /// Copies the state except the unused end of the window.
  void Keep() { Copy(state_, &saved_); }
  void TakeBack() {
    Copy(saved_, &state_);
    failed_ = false;
  }
  static void Copy(const inflate_state& from, inflate_state* to) {
    std::memcpy(static_cast<void*>(to), &from, SizeOf(from));
  }
  static size_t SizeOf(const inflate_state& state) {
    return kBeforeWindow + static_cast<size_t>(state.tmp_out_valid);
  }

  /// Returns whole bytes that igzip loaded ahead, of the `loaded` bytes of this
  /// call, to the input. At the end of the stream they belong to the following
  /// data; and when the output is full, the end may be reached later, in a call
  /// without input to return them to. While igzip waits for input they stay: it
  /// needs them all, and returning them would look like no progress.
  void GiveBack(uint32_t loaded) {
    const bool ended = failed_ || state_.block_state == ISAL_BLOCK_FINISH;
    if (!ended && state_.avail_out > 0) return;
    // A cut block header is buffered elsewhere, after the loaded bits.
    if (!ended && state_.tmp_in_size > 0) return;
    if (state_.read_in_length < 8) return;
    uint32_t bytes = static_cast<uint32_t>(state_.read_in_length) / 8;
    if (bytes > loaded) bytes = loaded;
    state_.avail_in += bytes;
    state_.next_in -= bytes;
    state_.read_in_length -= static_cast<int32_t>(8 * bytes);
    state_.read_in &= (uint64_t{1} << state_.read_in_length) - 1;
  }

  size_t HeldBack() const {
    return static_cast<size_t>(state_.tmp_out_valid - state_.tmp_out_processed);
  }

  /// After an error: output inflated before it is valid.
  size_t Drain(uint8_t* out, size_t out_size, size_t produced) {
    size_t size = HeldBack();
    if (size > out_size - produced) size = out_size - produced;
    if (size == 0) return 0;
    std::memcpy(out + produced,
                state_.tmp_out_buffer + state_.tmp_out_processed, size);
    state_.tmp_out_processed += static_cast<int32_t>(size);
    return size;
  }

  InflateStatus Status() const {
    if (failed_) {
      return HeldBack() > 0 ? InflateStatus::kMore : InflateStatus::kError;
    }
    return state_.block_state == ISAL_BLOCK_FINISH ? InflateStatus::kEnd
                                                   : InflateStatus::kMore;
  }

  const IsalLibrary* const library_;
  bool failed_ = false;
  /// Slices the input until the state was saved.
  bool stops_ = false;
  /// Input of this stream that was sliced since a point between blocks.
  size_t sliced_ = 0;
  // Zeroed: `Save` hands out fields that igzip may not have set.
  inflate_state state_ = {};
  inflate_state saved_;
};

/// ISA-L's sizes have 32 bits, so longer input is deflated in pieces; each ends
/// at a byte boundary and does not refer to earlier ones.
constexpr size_t kPiece = size_t{1} << 30;

class IsalDeflater final : public BlockDeflater {
 public:
  explicit IsalDeflater(const IsalLibrary* library) : library_(library) {}

  // ISA-L's worst case is stored blocks: 5 bytes per 65,535. The rest covers
  // the block that ends a piece.
  size_t Bound(size_t in_size) const override {
    return in_size + in_size / 4096 + 512 * (in_size / kPiece + 1);
  }

  size_t Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                 size_t out_size) override {
    size_t written = 0;
    while (in_size > kPiece) {
      const size_t size =
          DeflatePart(in, kPiece, out + written, out_size - written);
      if (size == 0) return 0;
      written += size;
      in += kPiece;
      in_size -= kPiece;
    }
    const size_t size =
        Run(in, in_size, out + written, out_size - written, true);
    return size == 0 ? 0 : written + size;
  }

  size_t DeflatePart(const uint8_t* in, size_t in_size, uint8_t* out,
                     size_t out_size) override {
    return Run(in, in_size, out, out_size, false);
  }

 private:
  size_t Run(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
             bool last) {
    library_->isal_deflate_stateless_init(&stream_);
    stream_.level = 1;
    stream_.level_buf = level_buffer_;
    stream_.level_buf_size = sizeof(level_buffer_);
    stream_.flush = last ? NO_FLUSH : FULL_FLUSH;
    stream_.end_of_stream = last ? 1 : 0;
    stream_.next_in = const_cast<uint8_t*>(in);
    stream_.avail_in = static_cast<uint32_t>(in_size);
    stream_.next_out = out;
    stream_.avail_out =
        static_cast<uint32_t>(out_size < 2 * kPiece ? out_size : 2 * kPiece);
    if (library_->isal_deflate_stateless(&stream_) != COMP_OK) return 0;
    return static_cast<size_t>(stream_.next_out - out);
  }

  const IsalLibrary* const library_;
  // Zeroed: ISA-L's initialization leaves `hist_bits` and other fields unset.
  isal_zstream stream_ = {};
  uint8_t level_buffer_[ISAL_DEF_LVL1_DEFAULT];
};

}  // namespace

std::unique_ptr<StreamInflater> NewIsalInflater() {
  const IsalLibrary* library = LoadIsal();
  if (library == nullptr) return nullptr;
  return std::unique_ptr<StreamInflater>(new (std::nothrow)
                                             IsalInflater(library));
}

std::unique_ptr<BlockDeflater> NewIsalDeflater() {
  const IsalLibrary* library = LoadIsal();
  if (library == nullptr) return nullptr;
  return std::unique_ptr<BlockDeflater>(new (std::nothrow)
                                            IsalDeflater(library));
}

}  // namespace tfr

#else

namespace tfr {

std::unique_ptr<StreamInflater> NewIsalInflater() { return nullptr; }
std::unique_ptr<BlockDeflater> NewIsalDeflater() { return nullptr; }

}  // namespace tfr

#endif  // TFR_HAVE_ISAL
