#ifndef TFR_TEST_COMPRESSION_CONTAINER_DAMAGE_H_
#define TFR_TEST_COMPRESSION_CONTAINER_DAMAGE_H_

#include <algorithm>
#include <string>

#include "core/base/endian.h"
#include "core/compression/checksum.h"
#include "core/compression/container_inflater.h"
#include "core/compression/zlib_format.h"
#include "test/deflate/codec_samples.h"
#include "test/support/check.h"

/// Builds valid and damaged containers, and inflates them in pieces.
namespace tfr::test {

struct GzipFields {
  uint8_t flags = 0;
  Bytes extra;
  std::string name;
  std::string comment;
  /// Added to the header's CRC.
  uint16_t crc_error = 0;
};

inline constexpr uint8_t kFlagText = 1;
inline constexpr uint8_t kFlagCrc = 2;
inline constexpr uint8_t kFlagExtra = 4;
inline constexpr uint8_t kFlagName = 8;
inline constexpr uint8_t kFlagComment = 16;

inline Bytes GzipHeader(const GzipFields& fields) {
  Bytes out = {0x1f, 0x8b, 8, fields.flags, 1, 2, 3, 4, 0, 3};
  if ((fields.flags & kFlagExtra) != 0) {
    out.push_back(static_cast<uint8_t>(fields.extra.size()));
    out.push_back(static_cast<uint8_t>(fields.extra.size() >> 8));
    out.insert(out.end(), fields.extra.begin(), fields.extra.end());
  }
  for (uint8_t flag : {kFlagName, kFlagComment}) {
    if ((fields.flags & flag) == 0) continue;
    const std::string& text = flag == kFlagName ? fields.name : fields.comment;
    out.insert(out.end(), text.begin(), text.end());
    out.push_back(0);
  }
  if ((fields.flags & kFlagCrc) != 0) {
    const uint32_t crc = Crc32(0, out.data(), out.size()) + fields.crc_error;
    out.push_back(static_cast<uint8_t>(crc));
    out.push_back(static_cast<uint8_t>(crc >> 8));
  }
  return out;
}

inline Bytes GzipOf(const Bytes& data, const GzipFields& fields = {}) {
  Bytes out = GzipHeader(fields);
  const Bytes deflated = ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY);
  out.insert(out.end(), deflated.begin(), deflated.end());
  out.resize(out.size() + 8);
  StoreLE32(&out[out.size() - 8], Crc32(0, data.data(), data.size()));
  StoreLE32(&out[out.size() - 4], static_cast<uint32_t>(data.size()));
  return out;
}

inline Bytes ZlibOf(const Bytes& data) {
  Bytes out(kZlibHeaderSize);
  StoreZlibHeader(out.data(), 6);
  const Bytes deflated = ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY);
  out.insert(out.end(), deflated.begin(), deflated.end());
  out.resize(out.size() + kZlibTrailerSize);
  StoreZlibTrailer(&out[out.size() - kZlibTrailerSize],
                   Adler32(1, data.data(), data.size()));
  return out;
}

inline Bytes Wrap(Compression kind, const Bytes& data) {
  return kind == Compression::kGzip ? GzipOf(data) : ZlibOf(data);
}

inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Bytes Cut(const Bytes& bytes, size_t size) {
  return Bytes(bytes.begin(), bytes.begin() + size);
}

inline Bytes Flip(Bytes bytes, size_t at, uint8_t bits = 1) {
  bytes[at] ^= bits;
  return bytes;
}

struct Unwrapped {
  Bytes out;
  Fault fault;
  uint64_t consumed = 0;
};

/// Inflates `in` in input pieces of `in_piece` with room for `out_piece` bytes
/// per step, and checks the contract of each step. The result's fault includes
/// that of `Finish`.
inline Unwrapped Unwrap(Compression kind,
                        std::unique_ptr<StreamInflater> inflater,
                        const Bytes& in, size_t in_piece = 1u << 30,
                        size_t out_piece = 1u << 16) {
  constexpr size_t kGuard = 32;
  Unwrapped all;
  ContainerInflater container(kind, std::move(inflater));
  Bytes room(out_piece + kGuard, 0xa5);
  size_t at = 0;
  for (;;) {
    const size_t size = std::min(in_piece, in.size() - at);
    // A separate copy, so that a sanitizer detects reads past its end.
    const Bytes piece(in.begin() + at, in.begin() + at + size);
    Fault fault;
    const auto step =
        container.Inflate(piece.data(), size, room.data(), out_piece, &fault);
    REQUIRE(step.consumed <= size && step.produced <= out_piece);
    CHECK(std::all_of(room.end() - kGuard, room.end(),
                      [](uint8_t byte) { return byte == 0xa5; }));
    all.out.insert(all.out.end(), room.begin(), room.begin() + step.produced);
    at += step.consumed;
    CHECK_EQ(container.consumed(), at);
    all.consumed = at;
    all.fault = fault;
    if (fault) {
      // Faults are sticky.
      Fault again;
      const auto stuck = container.Inflate(in.data(), in.size(), room.data(),
                                           out_piece, &again);
      CHECK_EQ(again.code, fault.code);
      CHECK_EQ(again.compressed_offset, fault.compressed_offset);
      CHECK_EQ(stuck.consumed + stuck.produced, 0u);
      CHECK_EQ(container.Finish().code, fault.code);
      return all;
    }
    if (step.produced == out_piece) continue;
    REQUIRE_EQ(step.consumed, size);
    if (at == in.size()) {
      all.fault = container.Finish();
      return all;
    }
  }
}

}  // namespace tfr::test

#endif  // TFR_TEST_COMPRESSION_CONTAINER_DAMAGE_H_
