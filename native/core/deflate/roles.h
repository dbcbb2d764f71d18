#ifndef TFR_CORE_DEFLATE_ROLES_H_
#define TFR_CORE_DEFLATE_ROLES_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"

namespace tfr {

/// The four codec roles. Each works on raw DEFLATE (RFC 1951): the headers,
/// trailers and checksums of gzip and zlib are handled by core/compression,
/// independently of the implementation. Each role has zlib as its fallback;
/// `registry.h` chooses.

enum class InflateStatus : uint8_t {
  kMore,   ///< Needs more input, or more room for output.
  kEnd,    ///< The final block ended; input after it was not consumed.
  kPoint,  ///< `StreamInflater::Save` asked to stop here, and can save now.
  kError,  ///< The input is not valid DEFLATE.
};

struct InflateStep {
  size_t consumed = 0;
  size_t produced = 0;
  InflateStatus status = InflateStatus::kMore;
};

enum class SaveResult : uint8_t { kSaved, kLater, kNoMemory };

/// Streaming inflate. Reusable for many streams, one after the other.
class StreamInflater {
 public:
  virtual ~StreamInflater() = default;
  /// Starts a new stream; keeps the memory.
  virtual void Reset() = 0;
  /// Reads at most `in_size` bytes and writes at most `out_size`. Makes
  /// progress whenever there is room, and input or held-back output.
  virtual InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                              size_t out_size) = 0;

  /// Writes to `state` what an inflater needs to continue `*unread` bytes of
  /// input before here, without the input and output before. kLater: it cannot
  /// here; `Inflate` will stop, with kPoint, where it can.
  virtual SaveResult Save(ByteBuffer* state, size_t* unread) = 0;
  /// Continues from a saved state: from a portable one, or from one of the same
  /// implementation in this process. Returns false if it is none of these, or
  /// when memory runs out.
  virtual bool Restore(const uint8_t* state, size_t size) = 0;
};

/// A portable state belongs between two blocks of a stream, and any
/// implementation can continue from it:
///
///   0  uint8  number of bits, 0 to 7, of the last byte before the position
///             that belong to the next block
///   1  uint8  these bits, from the lowest one on
///   2  bytes  the window: the last output, at most 32 KiB
inline constexpr size_t kStateHead = 2;
inline constexpr size_t kMostWindow = size_t{32} << 10;
/// The first byte of a state that only its implementation understands.
inline constexpr uint8_t kOwnState = 0xff;

inline bool IsPortableState(const uint8_t* state, size_t size) {
  return size >= kStateHead && size <= kStateHead + kMostWindow &&
         state[0] < 8 && state[1] >> state[0] == 0;
}

/// Whole-block inflate, for blocks whose compressed and uncompressed sizes are
/// known, such as those of the gzip members that we write
/// (`ReadGzipMemberInfo`).
class BlockInflater {
 public:
  virtual ~BlockInflater() = default;
  /// Returns true if `in` is exactly one DEFLATE stream of `out_size` bytes.
  virtual bool Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                       size_t out_size) = 0;
};

/// Whole-block deflate at a fixed level; also the fast role (level 1).
class BlockDeflater {
 public:
  virtual ~BlockDeflater() = default;
  /// Room that always suffices for `in_size` bytes of input.
  virtual size_t Bound(size_t in_size) const = 0;
  /// Writes a whole stream. Returns its size, or 0 if `out_size` is too small.
  virtual size_t Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                         size_t out_size) = 0;
  /// Writes the start of a stream that a further part continues, so that
  /// callers can check for cancellation between the parts of long data. The
  /// part ends at a byte boundary and has no final block; `Deflate` writes the
  /// last part. No part refers to an earlier one. `in_size` is 1 byte to 1 GiB.
  /// Also returns 0 when memory runs out.
  virtual size_t DeflatePart(const uint8_t* in, size_t in_size, uint8_t* out,
                             size_t out_size) = 0;
};

enum class DeflateFlush : uint8_t {
  kNone,
  /// Makes all input so far decodable from the output so far. Needs at least 8
  /// bytes of room, or the marker is written twice.
  kSync,
  kEnd,  ///< Ends the stream.
};

struct DeflateStep {
  size_t consumed = 0;
  size_t produced = 0;
  /// All output for this input and flush was written.
  bool done = false;
};

/// Streaming deflate.
class StreamDeflater {
 public:
  virtual ~StreamDeflater() = default;
  virtual void Reset() = 0;
  virtual DeflateStep Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                              size_t out_size, DeflateFlush flush) = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_DEFLATE_ROLES_H_
