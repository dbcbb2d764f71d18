#ifndef TFR_CORE_DEFLATE_ROLES_H_
#define TFR_CORE_DEFLATE_ROLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tfr {

/// The four codec roles. Every role works on raw DEFLATE (RFC 1951): headers,
/// trailers and checksums of gzip and zlib are read and written by container
/// code that is the same for every implementation. Each role has zlib as its
/// fallback; `registry.h` chooses.

enum class InflateStatus : uint8_t {
  kMore,   ///< Wants more input, or more room for output.
  kEnd,    ///< The final block ended; input behind it was not consumed.
  kError,  ///< Not DEFLATE.
};

struct InflateStep {
  size_t consumed = 0;
  size_t produced = 0;
  InflateStatus status = InflateStatus::kMore;
};

/// Streaming inflate. One object serves many streams, one after the other.
class StreamInflater {
 public:
  virtual ~StreamInflater() = default;
  /// Forgets the stream so far; the state's memory is kept.
  virtual void Reset() = 0;
  /// Reads at most `in_size` bytes and writes at most `out_size`. Makes
  /// progress whenever there is input (or held-back output) and room. Never
  /// writes beyond `out_size`.
  virtual InflateStep Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                              size_t out_size) = 0;
};

/// Whole-block inflate: the compressed block and its exact size are known, as
/// they are for the gzip members that we write (`ReadGzipMemberInfo`).
class BlockInflater {
 public:
  virtual ~BlockInflater() = default;
  /// True when `in` is exactly one DEFLATE stream of exactly `out_size` bytes.
  virtual bool Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
                       size_t out_size) = 0;
};

/// Whole-block deflate at a fixed level; also the fast role (level 1).
class BlockDeflater {
 public:
  virtual ~BlockDeflater() = default;
  /// Room that always suffices for `in_size` bytes.
  virtual size_t Bound(size_t in_size) const = 0;
  /// Writes a whole stream. Bytes written, or 0 when `out_size` is too small.
  virtual size_t Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                         size_t out_size) = 0;
  /// Writes the start of a stream, for data so long that somebody wants to be
  /// asked in between: it ends at a byte, no block of it is final, and any
  /// further part, of which `Deflate` makes the last, goes on behind it. No
  /// part refers to one before. At most 1 GiB, at least a byte. 0 also when
  /// memory ran out.
  virtual size_t DeflatePart(const uint8_t* in, size_t in_size, uint8_t* out,
                             size_t out_size) = 0;
};

enum class DeflateFlush : uint8_t {
  kNone,
  /// All input so far can be inflated from the output so far. Wants 8 bytes of
  /// room at least, else the marker is written twice.
  kSync,
  kEnd,  ///< Ends the stream.
};

struct DeflateStep {
  size_t consumed = 0;
  size_t produced = 0;
  /// Nothing is left to write for this input and this flush.
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
