#include "core/compression/gzip_header.h"

#include <cstring>

#include "core/compression/checksum.h"

namespace tfr {
namespace {

constexpr uint8_t kMagic[3] = {0x1f, 0x8b, 8};
constexpr uint32_t kFixedSize = 10;

// FTEXT (1) has no effect on decoding.
constexpr uint8_t kHeaderCrc = 2;
constexpr uint8_t kExtra = 4;
constexpr uint8_t kName = 8;
constexpr uint8_t kComment = 16;
constexpr uint8_t kReserved = 0xe0;

}  // namespace

HeaderStatus GzipHeaderParser::Parse(const uint8_t* in, size_t in_size,
                                     size_t* consumed) {
  size_t done = 0;
  // The header's CRC covers all bytes before it.
  size_t summed = 0;
  HeaderStatus status = HeaderStatus::kMore;
  while (done < in_size && status == HeaderStatus::kMore) {
    if (field_ == Field::kFixed) {
      status = ParseFixed(in[done]);
      if (status == HeaderStatus::kMore) ++done;
    } else if (field_ == Field::kCrc) {
      if (position_ == 0) {
        crc_ = Crc32(crc_, in + summed, done - summed);
        summed = done;
      }
      status = ParseCrc(in[done]);
      if (status == HeaderStatus::kMore) ++done;
      summed = done;
    } else {
      done += ParseField(in + done, in_size - done);
    }
    if (field_ == Field::kDone) status = HeaderStatus::kDone;
  }
  if (summed < done) crc_ = Crc32(crc_, in + summed, done - summed);
  *consumed = done;
  return status;
}

HeaderStatus GzipHeaderParser::ParseFixed(uint8_t byte) {
  if (position_ < sizeof(kMagic) && byte != kMagic[position_]) {
    return Fail(HeaderStatus::kForeign, "gzip magic", kMagic[position_], byte);
  }
  if (position_ == sizeof(kMagic)) {
    flags_ = byte;
    if ((byte & kReserved) != 0) {
      return Fail(HeaderStatus::kBad, "gzip header reserved flags",
                  byte & ~kReserved, byte);
    }
  }
  if (++position_ == kFixedSize) StartFieldAfter(Field::kFixed);
  return HeaderStatus::kMore;
}

size_t GzipHeaderParser::ParseField(const uint8_t* in, size_t in_size) {
  switch (field_) {
    case Field::kExtraSize:
      extra_size_ |= uint32_t{in[0]} << (8 * position_);
      if (++position_ == 2) {
        StartFieldAfter(Field::kExtraSize);
        if (extra_size_ == 0) StartFieldAfter(Field::kExtra);
      }
      return 1;
    case Field::kExtra: {
      const uint32_t left = extra_size_ - position_;
      const uint32_t size =
          in_size < left ? static_cast<uint32_t>(in_size) : left;
      position_ += size;
      if (position_ == extra_size_) StartFieldAfter(Field::kExtra);
      return size;
    }
    default: {  // A name or a comment, which a zero byte ends.
      const void* end = std::memchr(in, 0, in_size);
      if (end == nullptr) return in_size;
      StartFieldAfter(field_);
      return static_cast<size_t>(static_cast<const uint8_t*>(end) - in) + 1;
    }
  }
}

HeaderStatus GzipHeaderParser::ParseCrc(uint8_t byte) {
  const uint32_t stored = stored_crc_ | uint32_t{byte} << (8 * position_);
  if (position_ == 1 && stored != (crc_ & 0xffff)) {
    return Fail(HeaderStatus::kBad, "gzip header CRC16", crc_ & 0xffff, stored);
  }
  stored_crc_ = stored;
  if (++position_ == 2) StartFieldAfter(Field::kCrc);
  return HeaderStatus::kMore;
}

void GzipHeaderParser::StartFieldAfter(Field field) {
  position_ = 0;
  switch (field) {
    case Field::kFixed:
      if ((flags_ & kExtra) != 0) {
        field_ = Field::kExtraSize;
        return;
      }
      [[fallthrough]];
    case Field::kExtra:
      if ((flags_ & kName) != 0) {
        field_ = Field::kName;
        return;
      }
      [[fallthrough]];
    case Field::kName:
      if ((flags_ & kComment) != 0) {
        field_ = Field::kComment;
        return;
      }
      [[fallthrough]];
    case Field::kComment:
      field_ = (flags_ & kHeaderCrc) != 0 ? Field::kCrc : Field::kDone;
      return;
    case Field::kExtraSize:
      field_ = Field::kExtra;
      return;
    case Field::kCrc:
    case Field::kDone:
      field_ = Field::kDone;
      return;
  }
}

HeaderStatus GzipHeaderParser::Fail(HeaderStatus status, const char* part,
                                    uint32_t expected, uint32_t found) {
  part_ = part;
  expected_ = expected;
  found_ = found;
  return status;
}

}  // namespace tfr
