#include "core/compression/gzip_member.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "core/base/endian.h"
#include "core/compression/checksum.h"

namespace tfr {
namespace {

constexpr uint64_t kTensorFlowBuffer = 262144;
/// Start of the block in the buffer; leaves room for the longest header.
constexpr size_t kBlockStart = kGzipMemberHeaderSize + kMaxGzipMemberPadding;

constexpr size_t kSubfieldHeader = 4;
constexpr size_t kSizesPayload = 12;
constexpr size_t kExtraStart = 12;
/// ID1 ID2 CM=deflate FLG=FEXTRA, MTIME 0, XFL 0, OS 3 like TensorFlow.
constexpr uint8_t kFixedHeader[10] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3};

void Store16(uint8_t* p, size_t value) {
  p[0] = static_cast<uint8_t>(value);
  p[1] = static_cast<uint8_t>(value >> 8);
}

size_t Load16(const uint8_t* p) { return size_t{p[0]} | size_t{p[1]} << 8; }

size_t PartsBeforeTheLast(size_t size) {
  constexpr size_t kLongestLast = kGzipPartSize + kGzipPartSize / 2;
  if (size <= kLongestLast) return 0;
  return (size - kLongestLast + kGzipPartSize - 1) / kGzipPartSize;
}

uint8_t* StartSubfield(uint8_t* p, char id, size_t payload) {
  p[0] = 'T';
  p[1] = static_cast<uint8_t>(id);
  Store16(p + 2, payload);
  return p + kSubfieldHeader;
}

}  // namespace

size_t GzipMemberPadding(uint64_t offset, size_t size) {
  const uint64_t past = (offset + size) % kTensorFlowBuffer;
  if (past < 1 || past > 8) return 0;
  const size_t needed = static_cast<size_t>(9 - past);
  return needed < kSubfieldHeader ? kSubfieldHeader : needed;
}

bool GzipMember::Reserve(size_t size) {
  if (size <= capacity_) return true;
  buffer_.reset(new (std::nothrow) uint8_t[size]);
  capacity_ = buffer_ ? size : 0;
  return buffer_ != nullptr;
}

Fault GzipMember::Deflate(BlockDeflater* deflater, const uint8_t* data,
                          size_t size, uint32_t records,
                          const CancelToken& cancel) {
  const size_t parts = PartsBeforeTheLast(size);
  const size_t bound = parts * deflater->Bound(kGzipPartSize) +
                       deflater->Bound(size - parts * kGzipPartSize);
  if (!Reserve(kBlockStart + bound + kGzipMemberTrailerSize)) {
    return MemoryFault();
  }
  uint8_t* const block = buffer_.get() + kBlockStart;
  deflated_size_ = 0;
  uint32_t crc = 0;
  for (size_t part = 0; part <= parts; ++part) {
    if (cancel.cancelled()) return SystemFault(ECANCELED, "write");
    const uint8_t* const in = data + part * kGzipPartSize;
    uint8_t* const out = block + deflated_size_;
    const size_t room = bound - deflated_size_;
    const bool last = part == parts;
    const size_t in_size = last ? size - part * kGzipPartSize : kGzipPartSize;
    const size_t written = last ? deflater->Deflate(in, in_size, out, room)
                                : deflater->DeflatePart(in, in_size, out, room);
    if (written == 0) return MemoryFault();
    deflated_size_ += written;
    crc = Crc32(crc, in, in_size);
  }
  records_ = records;
  uint8_t* const trailer = block + deflated_size_;
  StoreLE32(trailer, crc);
  StoreLE32(trailer + 4, static_cast<uint32_t>(size));
  return {};
}

GzipMember::Bytes GzipMember::Finish(uint64_t offset) {
  const size_t bare =
      kGzipMemberHeaderSize + deflated_size_ + kGzipMemberTrailerSize;
  const size_t padding = GzipMemberPadding(offset, bare);
  uint8_t* start = buffer_.get() + kMaxGzipMemberPadding - padding;
  std::memcpy(start, kFixedHeader, sizeof(kFixedHeader));
  Store16(start + 10, kSubfieldHeader + kSizesPayload + padding);
  uint8_t* sizes = StartSubfield(start + kExtraStart, 'R', kSizesPayload);
  StoreLE64(sizes, bare + padding);
  StoreLE32(sizes + 8, records_);
  if (padding > 0) {
    const size_t zeros = padding - kSubfieldHeader;
    std::memset(StartSubfield(sizes + kSizesPayload, 'P', zeros), 0, zeros);
  }
  return {start, bare + padding};
}

bool ReadGzipMemberInfo(const uint8_t* data, size_t size,
                        GzipMemberInfo* info) {
  if (size < kGzipMemberHeaderSize) return false;
  if (std::memcmp(data, kFixedHeader, sizeof(kFixedHeader)) != 0) return false;
  const size_t extra = Load16(data + 10);
  const uint8_t* subfield = data + kExtraStart;
  if (extra < kSubfieldHeader + kSizesPayload || subfield[0] != 'T' ||
      subfield[1] != 'R' || Load16(subfield + 2) != kSizesPayload) {
    return false;
  }
  info->header_size = kExtraStart + extra;
  LoadGzipMemberSizes(data, info);
  return info->member_size > info->header_size + kGzipMemberTrailerSize;
}

void LoadGzipMemberSizes(const uint8_t* data, GzipMemberInfo* info) {
  const uint8_t* const sizes = data + kExtraStart + kSubfieldHeader;
  info->member_size = LoadLE64(sizes);
  info->records = LoadLE32(sizes + 8);
}

bool IsNearlyGzipMember(const uint8_t* data, size_t size) {
  constexpr size_t kLeastExtra = kSubfieldHeader + kSizesPayload;
  constexpr int kMostWrong = 2;
  if (size < kExtraStart) return false;
  int wrong = 0;
  for (size_t i = 0; i < sizeof(kFixedHeader); ++i) {
    wrong += data[i] != kFixedHeader[i];
  }
  wrong +=
      data[10] < kLeastExtra || data[10] > kLeastExtra + kMaxGzipMemberPadding;
  wrong += data[11] != 0;
  return wrong <= kMostWrong;
}

bool InflateGzipMember(BlockInflater* inflater, const uint8_t* data,
                       size_t size, const GzipMemberInfo& info, uint8_t* out,
                       size_t out_size) {
  if (size != info.member_size) return false;
  const size_t block = size - info.header_size - kGzipMemberTrailerSize;
  const uint8_t* const trailer = data + size - kGzipMemberTrailerSize;
  return LoadLE32(trailer + 4) == out_size &&
         inflater->Inflate(data + info.header_size, block, out, out_size) &&
         Crc32(0, out, out_size) == LoadLE32(trailer);
}

}  // namespace tfr
