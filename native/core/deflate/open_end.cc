#include "core/deflate/open_end.h"

#include <zlib.h>

#include <cstring>
#include <memory>
#include <new>

namespace tfr {
namespace {

constexpr uInt kScratchSize = 64 << 10;

// Bits of z_stream::data_type after `inflate`.
constexpr int kUnusedBits = 7;  // of the last byte consumed, at a block's end
constexpr int kLastBlock = 64;
constexpr int kBlockEnded = 128;

/// Positions in bits, from the lowest bit of the first byte.
struct LastBlock {
  size_t start = 0;
  size_t end = 0;
};

bool FindLastBlock(z_stream* stream, uint8_t* scratch, const uint8_t* data,
                   size_t size, LastBlock* last) {
  stream->next_in = const_cast<Bytef*>(data);
  stream->avail_in = static_cast<uInt>(size);
  last->start = 0;
  for (;;) {
    stream->next_out = scratch;
    stream->avail_out = kScratchSize;
    if (inflate(stream, Z_BLOCK) != Z_OK) return false;
    if ((stream->data_type & kBlockEnded) == 0) continue;
    last->end = (size - stream->avail_in) * 8 -
                static_cast<size_t>(stream->data_type & kUnusedBits);
    if ((stream->data_type & kLastBlock) != 0) return true;
    last->start = last->end;
  }
}

}  // namespace

size_t OpenEnd(uint8_t* data, size_t size) {
  const std::unique_ptr<uint8_t[]> scratch(new (std::nothrow)
                                               uint8_t[kScratchSize]);
  z_stream stream = {};
  if (!scratch || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return 0;
  LastBlock last;
  const bool found = FindLastBlock(&stream, scratch.get(), data, size, &last);
  inflateEnd(&stream);
  if (!found) return 0;
  // BFINAL is the first bit of a block.
  data[last.start / 8] &= static_cast<uint8_t>(~(1u << last.start % 8));
  size_t end = (last.end + 7) / 8;
  if (last.end % 8 == 0) return end;
  // Header of a stored block: three zero bits, then zeros to the next byte.
  data[end - 1] &= static_cast<uint8_t>((1u << last.end % 8) - 1);
  if (last.end % 8 > 5) data[end++] = 0;
  constexpr uint8_t kNoBytes[] = {0, 0, 0xff, 0xff};
  std::memcpy(data + end, kNoBytes, sizeof(kNoBytes));
  return end + sizeof(kNoBytes);
}

}  // namespace tfr
