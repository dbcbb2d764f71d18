#include "core/record/framing/tfrecord_framer.h"

#include <algorithm>
#include <cstdint>

#include "core/content/kind/signature.h"
#include "core/crc32c/record_format.h"
#include "core/record/framing/header_walk.h"
#include "core/record/framing/length_chain.h"

namespace tfr {
namespace {

constexpr uint64_t kLongestRecord = INT32_MAX;

class TfrecordFramer final : public Framer {
 public:
  explicit TfrecordFramer(const ReadOptions& options) : options_(options) {
    if (options_.salvages) options_.verify = Verify::kAll;
  }

  Found Find(Window* window, bool last, SlabFill* fill) const override {
    while (window->left() >= kHeaderSize) {
      const uint8_t* const header = window->slab + window->begin;
      if (VerifiesLengths(options_.verify) && !LengthIsRight(header)) {
        return BadLength(*window, last, *fill);
      }
      const uint64_t length = LoadLE64(header);
      // No option allows a record of this length: these bytes are not a header.
      if (length > kLongestRecord && !LengthIsRight(header)) {
        return BadLength(*window, last, *fill);
      }
      // Lengths near 2^64 saturate: skipping such a record ends at the end of
      // the file.
      const uint64_t need =
          std::min(length, kUnknown - kFramingSize) + kFramingSize;
      if (length > options_.max_record_bytes) {
        return {need, MakeFault(FaultCode::kRecordTooLarge, "length",
                                options_.max_record_bytes, length)};
      }
      if (window->left() < need) return {need, {}};
      if (!fill->frames.Push(
              {static_cast<uint32_t>(window->begin + kHeaderSize),
               static_cast<uint32_t>(length)})) {
        return {need, MemoryFault()};
      }
      window->begin += static_cast<size_t>(need);
    }
    return last ? ShortStream(*window, *fill) : Found();
  }

  Fault AtEnd(const StreamPlace&, uint64_t have, uint64_t need) const override {
    if (have == 0) return Fault();
    const bool in_header = have < kHeaderSize;
    return MakeFault(FaultCode::kTruncated, in_header ? "header" : "data",
                     in_header ? kHeaderSize : need, have);
  }

  size_t Walk(const ContentStream& content, uint64_t position, uint64_t limit,
              TypedBuffer<Frame>* frames) const override {
    return WalkHeaders(content, position, limit, options_, frames);
  }

  bool Doubts(size_t from, uint64_t proven, Window* window,
              SlabFill* fill) const override {
    if (options_.verify != Verify::kAll) return false;
    for (size_t i = from; i < fill->frames.size(); ++i) {
      const Frame frame = fill->frames[i];
      if (CheckFrame(window->slab, i, fill)) continue;
      if (fill->halt) {
        window->begin = frame.offset - kHeaderSize;
        return true;
      }
      const size_t end = frame.offset + frame.length + kFooterSize;
      if (fill->base + end <= proven) continue;
      fill->frames.Truncate(i + 1);
      window->begin = end;
      return true;
    }
    return false;
  }

  Found Judge(size_t from, Window* window, SlabFill* fill) const override {
    for (size_t i = from; i < fill->frames.size(); ++i) {
      const Frame frame = fill->frames[i];
      const Fault fault = DataFault(window->slab, frame);
      if (!fault) continue;
      fill->frames.Truncate(i);
      window->begin = frame.offset - kHeaderSize;
      return {frame.length + kFramingSize, fault};
    }
    return {};
  }

  bool Skip(uint64_t need, uint64_t at, const uint8_t* bytes,
            size_t size) override {
    if (at == 0) skipped_crc_ = 0;
    const uint64_t data_end = need - kFooterSize;
    for (size_t used = 0; used < size;) {
      const uint64_t part_end =
          at < kHeaderSize ? kHeaderSize : (at < data_end ? data_end : need);
      const auto part =
          static_cast<size_t>(std::min<uint64_t>(size - used, part_end - at));
      if (at >= data_end) {
        for (size_t i = 0; i < part; ++i) {
          // Keeps the last four bytes, the first of them lowest.
          skipped_stored_ = (skipped_stored_ >> 8) |
                            (static_cast<uint32_t>(bytes[used + i]) << 24);
        }
      } else if (at >= kHeaderSize) {
        skipped_crc_ = crc32c::Extend(skipped_crc_, bytes + used, part);
      }
      used += part;
      at += part;
    }
    return at < need || options_.verify != Verify::kAll ||
           crc32c::Mask(skipped_crc_) == skipped_stored_;
  }

  void Complete(const ContentStream& content, uint8_t* slab, bool judged,
                const CancelToken& cancel, SlabFill* fill) const override {
    if (fill->unread > 0 && !MayLeaveUnread(options_.verify)) {
      ReadUnread(content, slab, cancel, fill);
    }
    if (options_.verify != Verify::kAll || judged) return;
    size_t unpolled = 0;
    for (size_t i = 0; i < fill->frames.size(); ++i) {
      unpolled += fill->frames[i].length + kFramingSize;
      CheckFrame(slab, i, fill);
      if (unpolled >= kPollBytes) {
        unpolled = 0;
        if (cancel.cancelled()) return;
      }
    }
    CountFitting(fill);
  }

 private:
  static bool AtStart(const SlabFill& fill) {
    return fill.first_record == 0 && fill.frames.empty();
  }

  /// At the start of the stream, names the format found instead.
  static Found BadLength(const Window& window, bool last,
                         const SlabFill& fill) {
    const uint8_t* const header = window.slab + window.begin;
    Found found;
    const char* signature = nullptr;
    if (AtStart(fill)) {
      // Use the same number of bytes for every source, so that they all give
      // the same answer.
      const size_t want = std::min(window.size, kSignatureBytes);
      if (!last && window.end < want) found.look = want;
      signature = SignatureOf(window.slab, std::min(window.end, want));
    }
    found.fault = MakeFault(
        signature ? FaultCode::kNotTFRecord : FaultCode::kCorruptLength,
        "length", crc32c::Mask(crc32c::Value8(header)),
        LoadLE32(header + kLengthSize));
    if (signature) found.fault.detail = signature;
    return found;
  }

  /// Names the format of a stream that is shorter than a header. Two bytes of
  /// text could begin a header, but hardly ever do; eight bytes that are not a
  /// possible length cannot.
  static Found ShortStream(const Window& window, const SlabFill& fill) {
    const uint8_t* const bytes = window.slab + window.begin;
    const size_t size = window.left();
    Found found;
    if (!AtStart(fill) || size < 2) return found;
    const bool foreign = LooksLikeText(bytes, size) ||
                         (size >= kLengthSize && !MayBeLength(bytes, size));
    const char* const signature = foreign ? SignatureOf(bytes, size) : nullptr;
    if (signature == nullptr) return found;
    found.fault = MakeFault(FaultCode::kNotTFRecord, "length", 0, 0);
    found.fault.detail = signature;
    return found;
  }

  static void ReadUnread(const ContentStream& content, uint8_t* slab,
                         const CancelToken& cancel, SlabFill* fill) {
    Fault fault = ReadWalked(content, fill->unread_at, fill->unread,
                             fill->frames, cancel, slab);
    if (!fault) return;
    const auto whole = static_cast<size_t>(fault.record);
    fault.record = fill->first_record + whole;
    fault.offset = fill->base + fill->frames[whole].offset - kHeaderSize;
    fill->frames.Truncate(whole);
    fill->halt = fault;
    fill->outcome = FillOutcome::kHalt;
  }

  /// Sets `fitting` of the first fault if the first records, of which there
  /// must be several, all have wrong checksums: damage is unlikely then. One
  /// record suffices if its checksums are zero.
  static void CountFitting(SlabFill* fill) {
    if (fill->first_record > 0 || fill->faults.empty()) return;
    const size_t most =
        std::min<size_t>(fill->frames.size(), LengthChain::kProof);
    bool unsummed = true;
    for (size_t i = 0; i < most; ++i) {
      if (i >= fill->faults.size() || fill->faults[i].record != i) return;
      unsummed = unsummed && fill->faults[i].found == 0;
    }
    if (most > 1 || unsummed) {
      fill->faults[0].fitting = static_cast<uint32_t>(most);
    }
  }

  /// The fault of a frame with wrong data, without its place.
  static Fault DataFault(const uint8_t* slab, const Frame& frame) {
    const uint8_t* const data = slab + frame.offset;
    const uint32_t crc = crc32c::Mask(crc32c::Extend(0, data, frame.length));
    const uint32_t stored = LoadLE32(data + frame.length);
    if (crc == stored) return Fault();
    return MakeFault(FaultCode::kCorruptData, "data", crc, stored);
  }

  /// Adds a fault if the data of frame number `index` is wrong. If memory for
  /// it runs out, halts before that frame.
  static bool CheckFrame(const uint8_t* slab, size_t index, SlabFill* fill) {
    const Frame& frame = fill->frames[index];
    Fault fault = DataFault(slab, frame);
    if (!fault) return true;
    fault.record = fill->first_record + index;
    fault.offset = fill->base + frame.offset - kHeaderSize;
    if (!fill->faults.Push(fault)) {
      // A fault that cannot be stored must not go unnoticed.
      fill->frames.Truncate(index);
      fill->halt = MemoryFault();
      fill->halt.record = fault.record;
      fill->halt.offset = fault.offset;
      fill->outcome = FillOutcome::kHalt;
    }
    return false;
  }

  ReadOptions options_;
  /// Checksum of skipped data, and the stored one.
  uint32_t skipped_crc_ = 0;
  uint32_t skipped_stored_ = 0;
};

}  // namespace

std::unique_ptr<Framer> NewTfrecordFramer(const ReadOptions& options) {
  return std::make_unique<TfrecordFramer>(options);
}

}  // namespace tfr
