#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "core/codec/block_header.h"
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
///
/// It gives a block at a time: each header is marked as that of the last block,
/// so that igzip stops where the block ends. For igzip takes codes that zlib
/// refuses, and does not say where a block begins; so headers are judged here.
///
/// When igzip finds a fault, its count of bytes may be wrong: the fast loop
/// counts the copy of an invalid distance. So the state is saved before each
/// call, and when one fails, the rest of the block is read again symbol by
/// symbol (`ReadSymbols`), as zlib does.
class IsalInflater final : public StreamInflater {
 public:
  explicit IsalInflater(const IsalLibrary* library) : library_(library) {
    Reset();
  }

  void Reset() override {
    library_->isal_inflate_init(&state_);
    phase_ = Phase::kHeader;
    header_size_ = 0;
  }

  InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                      size_t out_size) override {
    InflateStep step;
    bool more = true;
    while (more) {
      switch (phase_) {
        case Phase::kHeader:
          more = ReadHeader(in, in_size, out, out_size, &step);
          break;
        case Phase::kGathered:
          more = ReadGathered(out, out_size, &step);
          break;
        case Phase::kBlock:
          more = ReadBlock(in, in_size, out, out_size, &step);
          break;
        case Phase::kSymbols:
          more = ReadSymbols(in, in_size, out, out_size, &step);
          break;
        case Phase::kEnded:
        case Phase::kFailed:
          more = false;
          break;
      }
    }
    step.produced += Drain(out, out_size, step.produced);
    step.status = Status();
    return step;
  }

  /// igzip decodes up to three symbols at a time, when it has the bits of all.
  InflateStep Rest(uint8_t* out, size_t out_size) override {
    if (phase_ == Phase::kBlock && !block_header_.stored) BeginSymbols();
    return Inflate(nullptr, 0, out, out_size);
  }

 private:
  enum class Phase : uint8_t {
    kHeader,
    kGathered,  ///< igzip is to read `header_` first.
    kBlock,
    kSymbols,  ///< Within a block that igzip does not read to its end.
    kEnded,    ///< igzip may hold back output.
    kFailed,
  };
  static constexpr int32_t kWindow = ISAL_DEF_HIST_SIZE;
  static constexpr int kLongestMatch = 258;

  /// The bits that igzip loaded and did not use.
  DeflateBits Loaded() const {
    DeflateBits bits;
    const int size = state_.read_in_length;
    if (size > 0) bits.held = state_.read_in << (64 - size) >> (64 - size);
    bits.held_size = size;
    return bits;
  }

  void KeepLoaded(const DeflateBits& bits) {
    state_.read_in = bits.held;
    state_.read_in_length = bits.held_size;
  }

  /// Judges the block's header; false when it wants more.
  bool ReadHeader(const uint8_t* in, size_t in_size, uint8_t* out,
                  size_t out_size, InflateStep* step) {
    // So that igzip has room to begin the block.
    step->produced += Drain(out, out_size, step->produced);
    if (state_.tmp_out_valid >= 2 * kWindow) return false;
    // Whole bytes of what igzip loaded were given back.
    DeflateBits bits = Loaded();
    const bool shared = bits.held_size > 0;
    const bool gathered = header_size_ > 0;
    const uint8_t* const rest = in + step->consumed;
    const size_t size =
        std::min(in_size - step->consumed, sizeof(header_) - header_size_);
    if (gathered && size > 0) std::memcpy(header_ + header_size_, rest, size);
    const uint8_t* const start = gathered ? header_ : rest;
    bits.next = start;
    bits.end = start + header_size_ + size;
    const BlockHeader::Status status = block_header_.Parse(&bits);
    const auto read = static_cast<size_t>(bits.next - start);
    if (status == BlockHeader::Status::kMore) {
      if (!gathered && size > 0) std::memcpy(header_, rest, size);
      step->consumed += size;
      header_size_ += size;
      return false;
    }
    if (status == BlockHeader::Status::kBad) {
      step->consumed += read - header_size_;
      phase_ = Phase::kFailed;
      return false;
    }
    body_ = bits;
    if (gathered) {
      step->consumed += read - header_size_;
      header_size_ = read;
      phase_ = Phase::kGathered;
    } else {
      phase_ = Phase::kBlock;
    }
    // The first bit says whether the block is the last one.
    if (shared) {
      state_.read_in |= 1;
    } else if (gathered) {
      header_[0] |= 1;
    } else {
      state_.read_in = *rest | 1;
      state_.read_in_length = 8;
      ++step->consumed;
    }
    return true;
  }

  /// Gives igzip a header that came in pieces.
  bool ReadGathered(uint8_t* out, size_t out_size, InflateStep* step) {
    InflateStep fed;
    fed.produced = step->produced;
    Save(out, step->produced);
    phase_ = Phase::kBlock;
    if (!Advance(header_, header_size_, out, out_size, &fed)) {
      ReadAgain();
    } else {
      step->produced = fed.produced;
    }
    header_size_ = 0;
    return true;
  }

  bool ReadBlock(const uint8_t* in, size_t in_size, uint8_t* out,
                 size_t out_size, InflateStep* step) {
    const InflateStep before = *step;
    Save(out, step->produced);
    if (Advance(in, in_size, out, out_size, step)) {
      return phase_ != Phase::kBlock || step->consumed > before.consumed ||
             step->produced > before.produced;
    }
    *step = before;
    if (ReadAgain()) step->consumed = static_cast<size_t>(body_.next - in);
    return true;
  }

  /// Goes back to the last `Save`, to read on by `ReadSymbols`. Returns true if
  /// the block's header is to be passed over.
  bool ReadAgain() {
    Restore();
    if (block_header_.stored) {
      phase_ = Phase::kFailed;
    } else {
      BeginSymbols();
    }
    if (state_.block_state != ISAL_BLOCK_NEW_HDR) return false;
    KeepLoaded(body_);
    return true;
  }

  void BeginSymbols() {
    const BlockHeader& header = block_header_;
    literals_.Set(header.lengths, header.literal_count);
    distances_.Set(header.lengths + header.literal_count,
                   header.distance_count);
    phase_ = Phase::kSymbols;
  }

  /// Reads the block on as zlib does: a symbol as soon as its bits are there.
  bool ReadSymbols(const uint8_t* in, size_t in_size, uint8_t* out,
                   size_t out_size, InflateStep* step) {
    DeflateBits bits = Loaded();
    bits.next = in + step->consumed;
    bits.end = in + in_size;
    Symbol symbol = Symbol::kByte;
    while (symbol == Symbol::kByte) {
      if (sizeof(state_.tmp_out_buffer) - kLongestMatch <
          static_cast<size_t>(state_.tmp_out_valid)) {
        step->produced += Drain(out, out_size, step->produced);
        if (step->produced == out_size) break;
      }
      const DeflateBits before = bits;
      symbol = ReadSymbol(&bits);
      if (symbol != Symbol::kCut) continue;
      bits = before;
      while (bits.next < bits.end) bits.Have(bits.held_size + 1);
    }
    step->consumed = static_cast<size_t>(bits.next - in);
    KeepLoaded(bits);
    if (symbol == Symbol::kWrong) phase_ = Phase::kFailed;
    if (symbol != Symbol::kEnd) return false;
    EndBlock();
    return true;
  }

  enum class Symbol : uint8_t { kByte, kEnd, kCut, kWrong };

  /// Writes the bytes of the next symbol into the window.
  Symbol ReadSymbol(DeflateBits* bits) {
    const auto fault = [](int symbol) {
      return symbol == HuffmanCodes::kNoBits ? Symbol::kCut : Symbol::kWrong;
    };
    uint8_t* const window = state_.tmp_out_buffer;
    const int literal = literals_.Next(bits);
    if (literal < 0) return fault(literal);
    if (literal < 256) {
      window[state_.tmp_out_valid++] = static_cast<uint8_t>(literal);
      return Symbol::kByte;
    }
    if (literal == 256) return Symbol::kEnd;
    // RFC 1951, section 3.2.5.
    const int length_code = literal - 257;
    if (length_code > 28) return Symbol::kWrong;
    int length = 3 + length_code;
    if (length_code == 28) {
      length = kLongestMatch;
    } else if (length_code >= 8) {
      const int extra = length_code / 4 - 1;
      if (!bits->Have(extra)) return Symbol::kCut;
      length = 3 + ((4 + length_code % 4) << extra) +
               static_cast<int>(bits->Take(extra));
    }
    const int distance_code = distances_.Next(bits);
    if (distance_code < 0) return fault(distance_code);
    if (distance_code > 29) return Symbol::kWrong;
    int distance = 1 + distance_code;
    if (distance_code >= 4) {
      const int extra = distance_code / 2 - 1;
      if (!bits->Have(extra)) return Symbol::kCut;
      distance = 1 + ((2 + distance_code % 2) << extra) +
                 static_cast<int>(bits->Take(extra));
    }
    if (distance > state_.tmp_out_valid) return Symbol::kWrong;
    for (; length > 0; --length, ++state_.tmp_out_valid) {
      window[state_.tmp_out_valid] = window[state_.tmp_out_valid - distance];
    }
    return Symbol::kByte;
  }

  /// One call of igzip; false when it found a fault.
  bool Advance(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
               InflateStep* step) {
    const uint8_t* const in_start = in + step->consumed;
    uint8_t* const out_start = out + step->produced;
    const uint32_t in_piece = Piece(in_size - step->consumed);
    state_.next_in = const_cast<uint8_t*>(in_start);
    state_.avail_in = in_piece;
    state_.next_out = out_start;
    state_.avail_out = Piece(out_size - step->produced);
    if (library_->isal_inflate(&state_) < 0) return false;
    GiveBack(in_piece - state_.avail_in);
    const auto wrote = static_cast<size_t>(state_.next_out - out_start);
    step->consumed += static_cast<size_t>(state_.next_in - in_start);
    step->produced += wrote;
    if (BlockEnded()) {
      if (!block_header_.last) KeepWindow(state_.next_out, wrote);
      EndBlock();
    }
    return true;
  }

  void EndBlock() {
    state_.block_state = ISAL_BLOCK_NEW_HDR;
    phase_ = block_header_.last ? Phase::kEnded : Phase::kHeader;
  }

  bool BlockEnded() const {
    return state_.block_state == ISAL_BLOCK_INPUT_DONE ||
           state_.block_state == ISAL_BLOCK_FINISH;
  }

  /// Makes the window ready for another block, as igzip does itself unless it
  /// takes the block for the last. `wrote` bytes lie before `out_end`.
  void KeepWindow(const uint8_t* out_end, size_t wrote) {
    if (wrote >= kWindow) {
      // Some of it may have been written without the window.
      const size_t held = HeldBack();
      uint8_t* const window = state_.tmp_out_buffer;
      std::memmove(window + kWindow, window + state_.tmp_out_processed, held);
      std::memcpy(window, out_end - kWindow, kWindow);
      state_.tmp_out_processed = kWindow;
      state_.tmp_out_valid = kWindow + static_cast<int32_t>(held);
    }
    ShiftWindow();
  }

  /// igzip wants at most `kWindow` bytes of the window to be given out.
  void ShiftWindow() {
    const int32_t shift =
        std::min(state_.tmp_out_processed, state_.tmp_out_valid - kWindow);
    if (shift <= 0) return;
    std::memmove(state_.tmp_out_buffer, state_.tmp_out_buffer + shift,
                 static_cast<size_t>(state_.tmp_out_valid - shift));
    state_.tmp_out_processed -= shift;
    state_.tmp_out_valid -= shift;
  }

  /// Keeps the state but for the tables, which stay as they are for a block.
  /// `produced` bytes of this step lie in `out`: they may be the window.
  void Save(const uint8_t* out, size_t produced) {
    window_in_out_ = nullptr;
    if (produced >= kWindow && state_.tmp_out_processed == kWindow &&
        state_.tmp_out_valid == kWindow) {
      window_in_out_ = out + produced - kWindow;
    }
    Copy(state_, &saved_, window_in_out_ != nullptr ? 0 : state_.tmp_out_valid);
  }
  void Restore() {
    if (window_in_out_ == nullptr) {
      Copy(saved_, &state_, saved_.tmp_out_valid);
    } else {
      Copy(saved_, &state_, 0);
      std::memcpy(state_.tmp_out_buffer, window_in_out_, kWindow);
    }
  }
  static void Copy(const inflate_state& from, inflate_state* to,
                   int32_t window) {
    const size_t tables = offsetof(inflate_state, lit_huff_code);
    const size_t behind = offsetof(inflate_state, block_state);
    const size_t end =
        offsetof(inflate_state, tmp_out_buffer) + static_cast<size_t>(window);
    const auto* const source = reinterpret_cast<const uint8_t*>(&from);
    auto* const target = reinterpret_cast<uint8_t*>(to);
    std::memcpy(target, source, tables);
    std::memcpy(target + behind, source + behind, end - behind);
  }

  /// Returns whole bytes that igzip loaded ahead from the `loaded` bytes of
  /// this call: at a block's end they belong to others, and with a full output
  /// the end may come later without any input to return them to. While igzip
  /// waits for input they stay: all of them are needed, and returning them
  /// would look like no progress.
  void GiveBack(uint32_t loaded) {
    if (!BlockEnded() && state_.avail_out > 0) return;
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

  /// Gives what igzip holds back when it is not called: between blocks, at the
  /// end, and behind an error.
  size_t Drain(uint8_t* out, size_t out_size, size_t produced) {
    const size_t size = std::min(HeldBack(), out_size - produced);
    if (size == 0) return 0;
    std::memcpy(out + produced,
                state_.tmp_out_buffer + state_.tmp_out_processed, size);
    state_.tmp_out_processed += static_cast<int32_t>(size);
    ShiftWindow();
    return size;
  }

  InflateStatus Status() const {
    if (HeldBack() > 0) return InflateStatus::kMore;
    switch (phase_) {
      case Phase::kEnded:
        return InflateStatus::kEnd;
      case Phase::kFailed:
        return InflateStatus::kError;
      default:
        return InflateStatus::kMore;
    }
  }

  const IsalLibrary* const library_;
  Phase phase_ = Phase::kHeader;
  BlockHeader block_header_;
  /// Its codes, for `ReadSymbols`.
  HuffmanCodes literals_;
  HuffmanCodes distances_;
  /// What follows the header.
  DeflateBits body_;
  /// The bytes of a header that came in pieces.
  uint8_t header_[kMostBlockHeader];
  size_t header_size_ = 0;
  inflate_state state_;
  inflate_state saved_;
  const uint8_t* window_in_out_ = nullptr;
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
