#ifndef TFR_CORE_COMPRESSION_CONTAINER_INFLATER_H_
#define TFR_CORE_COMPRESSION_CONTAINER_INFLATER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/fault.h"
#include "core/compression/compression.h"
#include "core/deflate/roles.h"

namespace tfr {

/// Inflates a file of gzip members (RFC 1952) or zlib streams (RFC 1950), one
/// after the other, empty ones included, with one recycled inflater. Header
/// fields (name, comment, extra, header CRC) and trailers (CRC32, length,
/// Adler) are checked. Sans-I/O: the caller brings input in pieces of any size.
class ContainerInflater {
 public:
  /// `kind` is kGzip or kZlib. `pauses`: a step goes no further than the end of
  /// a member, whatever input and room are left.
  ContainerInflater(Compression kind, std::unique_ptr<StreamInflater> inflater,
                    bool pauses = false);
  ~ContainerInflater();

  struct Step {
    size_t consumed = 0;
    size_t produced = 0;
  };

  /// Consumes input and writes at most `out_size` bytes of output. Makes
  /// progress whenever it can; when it returns with input left and room left,
  /// `*fault` is set. Output in `produced` is always right and comes before the
  /// fault: a failing trailer is reported after its member's bytes. Once
  /// faulted, stays faulted. Faults: kCompression (bad header, bad deflate
  /// data, wrong checksum or size) and kTrailingData (bytes after a member that
  /// start no other), with `compressed_offset` and `part` set.
  ///
  /// A step that leaves room has nothing held back and wants input; one that
  /// fills `out` may have, even with all input consumed.
  Step Inflate(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
               Fault* fault);

  /// To be asked when the input has ended, all of it was consumed and the last
  /// step left room: no fault when it ended behind a whole member (or had no
  /// byte at all), else kTruncated with `compressed_offset` the number of bytes
  /// consumed and `part` what was cut. Part of a magic number behind a member
  /// is a cut header.
  Fault Finish() const;

  /// True when all is well and the next byte starts a member.
  bool BetweenMembers() const;
  /// Between members: skips `size` bytes of complete members that were inflated
  /// elsewhere to `content_size` bytes, and found right.
  void PassOver(uint64_t size, uint64_t content_size);

  /// Bytes of output in members that were found right to the end of their
  /// trailers.
  uint64_t proven() const;

  /// Compressed bytes consumed so far.
  uint64_t consumed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True when `data` starts like a gzip member (1f 8b 08) or a zlib stream (a
/// header that satisfies RFC 1950: deflate, window at most 32 KiB, check bits,
/// no preset dictionary).
bool LooksLikeGzip(const uint8_t* data, size_t size);
bool LooksLikeZlib(const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_CONTAINER_INFLATER_H_
