#ifndef TFR_CORE_CONTENT_AHEAD_INFLATED_AHEAD_H_
#define TFR_CORE_CONTENT_AHEAD_INFLATED_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/content/ahead/members_ahead.h"
#include "core/content/ahead/segments_ahead.h"
#include "core/content/checkpoint.h"
#include "core/content/raw_input.h"
#include "core/content/recovery/member_search.h"
#include "core/io/byte_source.h"

namespace tfr {

/// The members and segments of one source that are inflated ahead, and how much
/// of the current one was read. Moves the source and the inflater past each, so
/// that the caller can go on in order at the end of any of them.
class InflatedAhead {
 public:
  /// Both must live as long as this object, or until `End`.
  InflatedAhead(ByteSource* source, RawInput* raw)
      : source_(source), raw_(raw) {}

  /// Inflates members ahead from now on. The source must be seekable.
  void BeginMembers(const AheadLimits& limits);
  /// Inflates segments ahead from now on; the arguments are those of
  /// `SegmentsAhead`.
  void BeginSegments(std::shared_ptr<const CheckpointSource> checkpoints,
                     Compression compression,
                     std::shared_ptr<const Checkpoint> from,
                     uint64_t least_content);
  /// From now on, nothing is inflated ahead.
  void End();

  bool members() const { return members_ != nullptr; }
  bool segments() const { return segments_ != nullptr; }

  /// Reads from a member. Returns false, with no effect, if there is none.
  /// `*begun`: the member, if this is its first byte.
  bool ReadMember(ContainerInflater* inflater, uint8_t* dst, size_t size,
                  size_t* got, MemberStart* begun);
  /// Content of the current member, which was verified in full; 0: there is
  /// none.
  size_t member_content() const { return member_.content_size; }

  /// Reads from a segment. Returns false, with no effect, if there is none:
  /// then `EndSegments` must follow. `*end`: the end of the segment, if this
  /// is its last byte.
  bool ReadSegment(ContainerInflater* inflater, uint8_t* dst, size_t size,
                   size_t* got, std::shared_ptr<const Checkpoint>* end);
  /// Returns the end of the last segment that was read, from which the caller
  /// must inflate in order; null if there was none.
  std::shared_ptr<const Checkpoint> EndSegments();

  /// Number of bytes of the source for the read part of the current member or
  /// segment, in proportion to its content.
  uint64_t consumed() const;

 private:
  bool PassOver(size_t size);

  ByteSource* const source_;
  RawInput* const raw_;
  std::unique_ptr<MembersAhead> members_;
  /// The current member, if its content is not empty, and the number of bytes
  /// read from it.
  MembersAhead::Member member_;
  size_t member_used_ = 0;
  std::unique_ptr<SegmentsAhead> segments_;
  /// The same for segments.
  SegmentsAhead::Segment segment_;
  size_t segment_used_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_AHEAD_INFLATED_AHEAD_H_
