#ifndef TFR_CORE_RECORD_FRAMING_LENGTH_CHAIN_H_
#define TFR_CORE_RECORD_FRAMING_LENGTH_CHAIN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/content/content_stream.h"
#include "core/crc32c/record_format.h"
#include "core/record/framing/framer.h"

namespace tfr {

/// Follows the records of a stream from its start by their lengths alone, to
/// find out whether only their checksums are wrong. Random bytes
/// hardly ever fit, because lengths are far below 2^64.
class LengthChain {
 public:
  /// Number of records that prove that the lengths are right.
  static constexpr uint32_t kProof = 20;

  explicit LengthChain(uint64_t max_record_bytes)
      : max_(std::min<uint64_t>(max_record_bytes, UINT32_MAX)) {}

  /// Offset of the next header.
  uint64_t next() const { return next_; }

  /// Follows the header at `next()`. Returns false if the chain ends there:
  /// the length is impossible, or enough records were followed. An empty record
  /// ends the chain, too, because zeros would be an endless chain of them.
  bool Follow(const uint8_t* header) {
    const uint64_t length = LoadLE64(header);
    if (length == 0 || length > max_) {
      records_ = 0;
      return false;
    }
    unsummed_ = unsummed_ && LoadLE32(header + kLengthSize) == 0;
    next_ += length + kFramingSize;
    return ++records_ < kProof;
  }

  /// Returns the number of records that fit, or 0 if that proves nothing. `end`
  /// is the size of the stream, `kUnknown` if `next()` is out of reach.
  uint32_t Fitting(uint64_t end) const {
    if (records_ >= kProof || next_ == end) return records_;
    const uint32_t whole =
        next_ > end && records_ > 0 ? records_ - 1 : records_;
    // One length may be right by chance, but not one without a checksum.
    return whole > (unsummed_ ? 0 : 1) ? whole : 0;
  }

 private:
  const uint64_t max_;
  uint64_t next_ = 0;
  uint32_t records_ = 0;
  /// All stored checksums are 0.
  bool unsummed_ = true;
};

/// Reads content from offset `at` on.
using ReadContent = std::function<ReadState(uint64_t at, uint8_t* dst,
                                            size_t size, size_t* got)>;

/// Sets `*fitting` to the number of records at the start of a stream that fit
/// by their lengths, as `LengthChain::Fitting` does. `window` holds the start
/// of the stream, and `ended` means all of it. Reads on as far as the window
/// goes; headers after it are read from the file, if the source is one. Returns
/// false if the source ran dry.
bool CountFittingRecords(uint64_t max_record_bytes, const ReadContent& read,
                         bool ended, ContentStream* content, Window* window,
                         uint32_t* fitting);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FRAMING_LENGTH_CHAIN_H_
