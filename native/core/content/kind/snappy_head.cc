#include "core/content/kind/snappy_head.h"

#include <algorithm>
#include <cstring>

#include "core/crc32c/record_format.h"

namespace tfr {
namespace {

constexpr size_t kSizeBytes = 4;

uint32_t LoadBE32(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 |
         uint32_t{bytes[2]} << 8 | bytes[3];
}

/// Start of a raw Snappy block.
struct BlockHead {
  /// Uncompressed size; 0 if there is none.
  uint64_t content_size = 0;
  /// True if the content begins with a record's header.
  bool holds_record = false;
};

/// Inflates up to `kHeaderSize` bytes of content into `out`. Returns their
/// number.
size_t InflateHead(const uint8_t* in, size_t size, uint8_t* out) {
  size_t produced = 0;
  for (size_t at = 0; at < size && produced < kHeaderSize;) {
    const uint8_t tag = in[at++];
    // Literals, and copies with offsets of one or two bytes: no encoder begins
    // a record's header with a longer offset.
    if ((tag & 3) == 0) {
      const size_t length = size_t{tag} / 4 + 1;
      const size_t extra = length > 60 ? length - 60 : 0;
      if (size - at < extra) return 0;
      at += extra;
      const size_t n = std::min(
          {extra > 0 ? size : length, size - at, kHeaderSize - produced});
      std::memcpy(out + produced, in + at, n);
      produced += n;
      at += n;
      continue;
    }
    const size_t offset_bytes = (tag & 3) == 1 ? 1 : 2;
    if ((tag & 3) == 3 || size - at < offset_bytes) return 0;
    const size_t offset = offset_bytes == 1 ? size_t{tag & 0xe0u} << 3 | in[at]
                                            : size_t{in[at + 1]} << 8 | in[at];
    const size_t length =
        offset_bytes == 1 ? (tag >> 2 & 7) + 4 : size_t{tag} / 4 + 1;
    if (offset == 0 || offset > produced) return 0;
    for (size_t i = 0; i < length && produced < kHeaderSize; ++i, ++produced) {
      out[produced] = out[produced - offset];
    }
    at += offset_bytes;
  }
  return produced;
}

BlockHead BlockHeadAt(const uint8_t* data, size_t size) {
  BlockHead head;
  size_t at = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at == size || shift > 28) return BlockHead();
    const uint8_t byte = data[at++];
    head.content_size |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  uint8_t content[kHeaderSize];
  head.holds_record =
      head.content_size >= kFramingSize &&
      InflateHead(data + at, size - at, content) == kHeaderSize &&
      LengthIsRight(content);
  return head;
}

}  // namespace

SnappyKind SnappyKindAt(const uint8_t* data, size_t size) {
  if (BlockHeadAt(data, size).holds_record) return SnappyKind::kRaw;
  if (size <= kSizeBytes) return SnappyKind::kNone;
  if (BlockHeadAt(data + kSizeBytes, size - kSizeBytes).holds_record) {
    return SnappyKind::kTensorFlow;
  }
  if (size <= 2 * kSizeBytes) return SnappyKind::kNone;
  const BlockHead head =
      BlockHeadAt(data + 2 * kSizeBytes, size - 2 * kSizeBytes);
  const uint64_t content_size = LoadBE32(data);
  const uint64_t block_size = LoadBE32(data + kSizeBytes);
  // The largest size of a block, by Snappy's own bound.
  const uint64_t most = 32 + content_size + content_size / 6;
  const bool sizes_agree = content_size >= kFramingSize &&
                           head.content_size == content_size &&
                           block_size > 2 && block_size <= most;
  return head.holds_record || sizes_agree ? SnappyKind::kHadoop
                                          : SnappyKind::kNone;
}

}  // namespace tfr
