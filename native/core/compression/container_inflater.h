#ifndef TFR_CORE_COMPRESSION_CONTAINER_INFLATER_H_
#define TFR_CORE_COMPRESSION_CONTAINER_INFLATER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/fault.h"
#include "core/compression/compression.h"
#include "core/deflate/roles.h"

namespace tfr {

/// Inflates a sequence of gzip members (RFC 1952) or zlib streams (RFC 1950),
/// empty ones included, with one reused inflater. Checks header fields (name,
/// comment, extra, header CRC) and trailers (CRC32, length, Adler). Sans-I/O:
/// the caller provides input in chunks of any size.
class ContainerInflater {
 public:
  /// `kind` is kGzip or kZlib. `pauses`: each step stops at the end of a
  /// member, even with input and room left.
  ContainerInflater(Compression kind, std::unique_ptr<StreamInflater> inflater,
                    bool pauses = false);
  ~ContainerInflater();

  struct Step {
    size_t consumed = 0;
    size_t produced = 0;
  };

  /// Consumes input and writes at most `out_size` bytes. Makes progress
  /// whenever possible; if it returns with input left and room left, `*fault`
  /// is set. The produced bytes precede the fault: a trailer's fault is
  /// reported after its member's bytes. Faults are sticky. Faults: kCompression
  /// (bad header, bad deflate data, wrong checksum or size) and kTrailingData
  /// (bytes after a member that start no other), with `compressed_offset` and
  /// `part` set.
  ///
  /// After a step that leaves room, no output is held back and more input is
  /// needed. After a step that fills `out`, output may be held back even if all
  /// input was consumed.
  Step Inflate(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
               Fault* fault);

  /// Call at the end of the input, when all of it was consumed and the last
  /// step left room. Returns no fault if the input ended after a whole member
  /// (or was empty), else kTruncated: `compressed_offset` is the number of
  /// bytes consumed, `part` names what was cut. A partial magic number after a
  /// member is a cut header.
  Fault Finish() const;

  /// True if there is no fault and the next byte starts a member.
  bool BetweenMembers() const;
  /// Between members: skips `size` bytes of whole members that were inflated
  /// and verified elsewhere, with `content_size` bytes of output.
  void Skip(uint64_t size, uint64_t content_size);

  /// The position of a stream in its members.
  struct Point {
    uint64_t consumed = 0;
    uint64_t produced = 0;
    uint64_t proven = 0;
    uint64_t member_start = 0;
    /// Checksum of the member's output so far, which its trailer confirms.
    uint32_t checksum = 0;
    bool between_members = false;
  };
  /// Writes the point reached (or one some bytes of input before it, which must
  /// then be read again), and to `state` what the inflater needs there (nothing
  /// between members). kLater: it cannot here. `Inflate` may then
  /// return early, with input and room left, where it can.
  SaveResult Save(Point* point, ByteBuffer* state);
  /// Before the first `Inflate`, or anywhere: continues from a point. Returns
  /// false if the state does not belong to this inflater, or when memory runs
  /// out.
  bool Restore(const Point& point, const uint8_t* state, size_t size);

  /// The trailer of a gzip member of which only the last part was inflated.
  struct PartTrailer {
    bool found = false;
    /// Checksum and size of that part.
    uint32_t checksum = 0;
    uint64_t size = 0;
    /// Those of the whole member, as its trailer states them.
    uint32_t whole_checksum = 0;
    uint32_t whole_size = 0;
  };
  /// After `Restore` from a point within a gzip member whose checksum is
  /// unknown: notes the trailer of this member instead of checking it. Until
  /// then, `Save` gives the checksum of the output since the point.
  void NotePartTrailer();
  const PartTrailer& part_trailer() const;

  /// Like `Restore`, after any `Inflate`, where only the position matters:
  /// until the next `Restore`, nothing may be inflated, unless between members.
  void MoveTo(const Point& point);

  /// Output bytes so far.
  uint64_t produced() const;

  /// Output bytes of members verified up to the end of their trailers.
  uint64_t proven() const;

  /// Compressed bytes consumed.
  uint64_t consumed() const;

  /// True if the output so far, of which `point.produced` is the size, is that
  /// before `point`, which lies within a member.
  bool IsAt(const Point& point) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True if `data` starts like a gzip member (1f 8b 08) or a zlib stream (a
/// header that satisfies RFC 1950: deflate, window at most 32 KiB, check bits,
/// no preset dictionary).
bool LooksLikeGzip(const uint8_t* data, size_t size);
/// The same with one wrong byte, where the rest of the fixed header is one that
/// programs write.
bool LooksNearlyLikeGzip(const uint8_t* data, size_t size);
bool LooksLikeZlib(const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_CONTAINER_INFLATER_H_
