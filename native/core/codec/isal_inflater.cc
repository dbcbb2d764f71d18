#include <cstring>
#include <new>

#include "core/codec/implementations.h"
#include "core/codec/isal_library.h"

#if defined(TFR_HAVE_ISAL)

namespace tfr {
namespace {

/// ISA-L counts in 32 bits.
uint32_t Piece(size_t size) {
  constexpr size_t kMost = size_t{1} << 30;
  return static_cast<uint32_t>(size < kMost ? size : kMost);
}

/// igzip inflates into a window of its own (`tmp_out_buffer`) first, so it may
/// consume all input while output is still held back; and it loads up to eight
/// bytes of input ahead (`read_in`), which may belong to what follows the
/// stream.
class IsalInflater final : public StreamInflater {
 public:
  explicit IsalInflater(const IsalLibrary* library) : library_(library) {
    Reset();
  }

  void Reset() override {
    library_->isal_inflate_init(&state_);
    failed_ = false;
  }

  InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                      size_t out_size) override {
    InflateStep step;
    do {
      if (failed_ || state_.block_state == ISAL_BLOCK_FINISH) break;
      if (!Advance(in, in_size, out, out_size, &step)) break;
    } while (step.consumed < in_size && step.produced < out_size);
    if (failed_) step.produced += Drain(out, out_size, step.produced);
    step.status = Status();
    return step;
  }

 private:
  /// One call of igzip; false when it made no progress.
  bool Advance(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
               InflateStep* step) {
    const uint8_t* const in_start = in + step->consumed;
    uint8_t* const out_start = out + step->produced;
    const uint32_t in_piece = Piece(in_size - step->consumed);
    state_.next_in = const_cast<uint8_t*>(in_start);
    state_.avail_in = in_piece;
    state_.next_out = out_start;
    state_.avail_out = Piece(out_size - step->produced);
    failed_ = library_->isal_inflate(&state_) < 0;
    if (!failed_) GiveBack(in_piece - state_.avail_in);
    // By the pointers: after an error the counters may have wrapped.
    const size_t read = static_cast<size_t>(state_.next_in - in_start);
    const size_t wrote = static_cast<size_t>(state_.next_out - out_start);
    step->consumed += read;
    step->produced += wrote;
    return read > 0 || wrote > 0;
  }

  /// Returns whole bytes that igzip loaded ahead from the `loaded` bytes of
  /// this call: at the end they belong to others, and with a full output the
  /// end may come later without any input to return them to. While igzip waits
  /// for input they stay: all of them are needed, and returning them would look
  /// like no progress.
  void GiveBack(uint32_t loaded) {
    const bool ended = state_.block_state == ISAL_BLOCK_FINISH;
    if (!ended && state_.avail_out > 0) return;
    // A cut block header waits elsewhere, behind the loaded bits.
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

  /// After an error: what was inflated before it is good output.
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
  inflate_state state_;
};

}  // namespace

std::unique_ptr<StreamInflater> NewIsalInflater() {
  const IsalLibrary* library = LoadIsal();
  if (library == nullptr) return nullptr;
  return std::unique_ptr<StreamInflater>(new (std::nothrow)
                                             IsalInflater(library));
}

}  // namespace tfr

#else

namespace tfr {

std::unique_ptr<StreamInflater> NewIsalInflater() { return nullptr; }

}  // namespace tfr

#endif  // TFR_HAVE_ISAL
